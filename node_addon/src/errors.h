/* SPDX-License-Identifier: Apache-2.0
 *
 * errors.h: what the addon's errors look like in JavaScript: an Error whose `code` is ERR_PPROF_ and a name.
 */
#ifndef PYPROF_ERRORS_H
#define PYPROF_ERRORS_H

#include <napi.h>
#include <pp.h>

#include <string>

namespace pyprof {

inline Napi::Error MakeError(Napi::Env env, const std::string &name, const std::string &message) {
  Napi::Error error = Napi::Error::New(env, message);
  error.Set("code", Napi::String::New(env, "ERR_PPROF_" + name));
  return error;
}

inline Napi::Error MakeError(Napi::Env env, const pp_error &error) {
  return MakeError(env, pp_status_name(error.status), error.message);
}

} // namespace pyprof

#endif
