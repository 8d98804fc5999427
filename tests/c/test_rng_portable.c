/* SPDX-License-Identifier: Apache-2.0
 *
 * The same numbers where the compiler has no integers of 128 bits.
 */
#undef __SIZEOF_INT128__
#include "test_rng.c"
