# SPDX-License-Identifier: Apache-2.0
{
  'variables': {
    # Resolved by Node's own rules: from node_modules here, or from NODE_PATH.
    'node_addon_api': '<!(node -p "require(\'path\').resolve(require(\'node-addon-api\').include_dir)")',
    # In the npm package it lies inside.
    'csrc': '<!(node -p "[\'csrc\', \'../csrc\'].find((folder) => require(\'fs\').existsSync(folder))")',
    # -isystem: the headers of V8 and Node are not ours to keep free of warnings. It also outranks the -I of node-gyp.
    'strict': [
      '-Wall', '-Wextra', '-Werror', '-fvisibility=hidden',
      '-isystem', '<(node_root_dir)/include/node', '-isystem', '<(node_addon_api)',
    ],
  },
  'targets': [
    {
      'target_name': 'pp',
      'type': 'static_library',
      'sources': ['<(csrc)/pp.c'],
      'cflags': ['<@(strict)'],
      'cflags_c': ['-std=c11', '-ffunction-sections'],
    },
    {
      'target_name': 'pyprof',
      'dependencies': ['pp'],
      'sources': [
        'src/addon.cc', 'src/cpu_profiler.cc', 'src/encode_worker.cc', 'src/file_url.cc', 'src/heap_profiler.cc',
        'src/places.cc', 'src/places_worker.cc', 'src/profile.cc', 'src/signal_guard.cc', 'src/v8_profiler.cc',
        'src/walk.cc',
      ],
      'include_dirs': ['<(csrc)'],
      'defines': ['NAPI_VERSION=5', 'NAPI_DISABLE_CPP_EXCEPTIONS', 'NODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS'],
      'cflags': ['<@(strict)'],
      'conditions': [
        # The headers of Node 20 and later need C++20; node-addon-api needs C++17.
        ['node_module_version >= 115', {'cflags_cc': ['-std=c++20']}, {'cflags_cc': ['-std=c++17']}],
      ],
      # zlib is Node's own: node exports its symbols and ships zlib.h.
      'libraries': ['-lprotobuf-c', '-ldl'],
      # What of the core is not used goes, and with it what newer C libraries alone have. libprotobuf-c may lie beside.
      'ldflags': ['-Wl,--exclude-libs,ALL', '-Wl,--gc-sections', '-Wl,-rpath,\'$$ORIGIN\''],
    },
  ],
}
