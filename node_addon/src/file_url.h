/* SPDX-License-Identifier: Apache-2.0
 *
 * file_url.h: the paths of scripts that V8 names by URLs.
 */
#ifndef PYPROF_FILE_URL_H
#define PYPROF_FILE_URL_H

#include <string>

namespace pyprof {

// ES modules are named by URLs; every other part of a profile, and every reader, names files by paths. The query and
// the fragment are no part of the path. Anything but a local file:// URL stays what it is.
std::string PathOfUrl(const char *url);

} // namespace pyprof

#endif
