/* SPDX-License-Identifier: Apache-2.0 */
#include "file_url.h"

#include <algorithm>
#include <cctype>
#include <cstring>

namespace pyprof {
namespace {

int HexDigit(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  if (c >= 'A' && c <= 'F')
    return c - 'A' + 10;
  return -1;
}

} // namespace

std::string PathOfUrl(const char *url) {
  static const char kScheme[] = "file:///";
  if (std::strncmp(url, kScheme, sizeof kScheme - 1) != 0)
    return url;
  std::string path;
  for (const char *p = url + sizeof kScheme - 2; *p != '\0' && *p != '?' && *p != '#'; ++p) {
    const int high = *p == '%' ? HexDigit(p[1]) : -1;
    const int low = high >= 0 ? HexDigit(p[2]) : -1;
    if (low >= 0) {
      path += static_cast<char>(high * 16 + low);
      p += 2;
    } else {
      path += *p;
    }
  }
  if (path.size() > 3 && path[2] == ':' && path[3] == '/' && std::isalpha(static_cast<unsigned char>(path[1]))) {
    path.erase(0, 1); // of Windows: /C:/app/x.mjs
    std::replace(path.begin(), path.end(), '/', '\\');
  }
  return path;
}

} // namespace pyprof
