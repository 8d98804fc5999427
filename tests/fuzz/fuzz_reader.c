/* SPDX-License-Identifier: Apache-2.0
 *
 * fuzz_reader.c: changes profiles at random and does everything with them that the core can do. The sanitizers tell
 * what is wrong; so do the checks in `exercise`. Built by clang with -fsanitize=fuzzer it is a libFuzzer target; else
 * it brings a simple mutator:
 *   fuzz_reader SECONDS SEED [FILE...]
 */
#include "build.h"
#include "gzip.h"

#include <time.h>

static void must(bool holds, const char *what) {
  if (!holds) {
    fprintf(stderr, "broken: %s\n", what);
    abort();
  }
}

/* A profile that was accepted must survive being aggregated, merged, and written and read again. */
static void exercise(const pp_profile *profile) {
  pp_error error = {0};
  for (int granularity = PP_FUNCTIONS; granularity <= PP_ADDRESSES; granularity++) {
    pp_top *top = pp_profile_top(profile, 0, (pp_granularity)granularity, &error);
    must(top || error.status == PP_LIMIT, "top");
    pp_top_free(top);
  }
  const pp_profile *const twice[] = {profile, profile};
  pp_profile *merged = pp_profile_merge(twice, 2, &error);
  must(merged || error.status == PP_LIMIT, "merge");
  must(!merged || pp_profile_n_samples(merged) <= pp_profile_n_samples(profile), "merge adds no samples");
  pp_profile_free(merged);
  pp_bytes bytes = {NULL, 0};
  must(pp_profile_encode(profile, 1, &bytes, &error) == PP_OK, "encode");
  pp_profile *again = pp_profile_parse(bytes.data, bytes.size, 0, &error);
  must(again && pp_profile_n_samples(again) == pp_profile_n_samples(profile), "read what was written");
  pp_profile_free(again);
  pp_bytes_free(&bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  pp_error error = {0};
  pp_profile *profile = pp_profile_parse(data, size, 1 << 22, &error);
  must(profile || (error.status != PP_OK && error.message[0]), "a failure has a cause");
  must(strcmp(error.message, "protobuf-c cannot unpack the data") != 0, "protobuf-c takes what wire.c lets pass");
  if (profile)
    exercise(profile);
  pp_profile_free(profile);
  return 0;
}

#ifndef FUZZ_WITHOUT_MAIN

enum { MAX_SEEDS = 256, MAX_SIZE = 1 << 16 };

typedef struct mutator {
  uint64_t state;
  pp_bytes seeds[MAX_SEEDS];
  size_t n_seeds;
} mutator;

static size_t draw(mutator *m, size_t n) { /* xorshift64*, below n */
  m->state ^= m->state >> 12;
  m->state ^= m->state << 25;
  m->state ^= m->state >> 27;
  return (size_t)((m->state * UINT64_C(0x2545f4914f6cdd1d)) >> 33) % n;
}

/* Small ones are kept, and unpacked, so that mutations reach the messages. */
static void add_seed(mutator *m, const uint8_t *data, size_t size) {
  pp_bytes seed = {NULL, 0};
  if (m->n_seeds == MAX_SEEDS)
    return;
  if (!pp_is_gzip(data, size) || pp_gunzip(data, size, MAX_SIZE, &seed, NULL) != PP_OK) {
    if (size > MAX_SIZE)
      return;
    seed.data = malloc(size + 1);
    must(seed.data, "memory");
    memcpy(seed.data, data, size);
    seed.size = size;
  }
  m->seeds[m->n_seeds++] = seed;
}

static void add_file(mutator *m, const char *path) {
  static uint8_t buffer[MAX_SIZE];
  FILE *file = fopen(path, "rb");
  if (!file) {
    perror(path);
    exit(2);
  }
  add_seed(m, buffer, fread(buffer, 1, sizeof buffer, file));
  fclose(file);
}

static size_t mutate(mutator *m, uint8_t *data) {
  static const uint8_t telling[] = {0, 1, 2, 8, 0x0a, 0x12, 0x7f, 0x80, 0xff};
  const pp_bytes *seed = &m->seeds[draw(m, m->n_seeds)], *other = &m->seeds[draw(m, m->n_seeds)];
  size_t size = seed->size;
  memcpy(data, seed->data, size);
  for (size_t n = draw(m, 6); n > 0 && size > 1; n--) {
    size_t at = draw(m, size), length = draw(m, 24), from;
    switch (draw(m, 6)) {
    case 0:
      data[at] ^= (uint8_t)(1u << draw(m, 8));
      break;
    case 1:
      data[at] = telling[draw(m, sizeof telling)];
      break;
    case 2: /* cut out */
      length = length < size - at ? length : size - at;
      memmove(data + at, data + at + length, size - at - length);
      size -= length;
      break;
    case 3: /* copy within */
      from = draw(m, size);
      length = length < size - at ? length : size - at;
      length = length < size - from ? length : size - from;
      memmove(data + at, data + from, length);
      break;
    case 4: /* append a part of another seed */
      if (other->size) {
        from = draw(m, other->size);
        length = other->size - from < MAX_SIZE - size ? other->size - from : MAX_SIZE - size;
        memcpy(data + size, other->data + from, length);
        size += length;
      }
      break;
    default:
      size = at;
    }
  }
  return size;
}

int main(int argc, char **argv) {
  static mutator m;
  static uint8_t data[MAX_SIZE];
  if (argc < 3) {
    fprintf(stderr, "usage: %s SECONDS SEED [FILE...]\n", argv[0]);
    return 2;
  }
  time_t end = time(NULL) + atoi(argv[1]);
  m.state = strtoull(argv[2], NULL, 10) * 2 + 1;
  input valid = valid_input();
  add_seed(&m, valid.data, valid.size);
  for (int i = 3; i < argc; i++)
    add_file(&m, argv[i]);
  size_t runs = 0;
  for (; time(NULL) < end; runs++) {
    size_t size = mutate(&m, data);
    pp_bytes packed = {NULL, 0};
    if (draw(&m, 8) == 0 && pp_gzip(data, size, 1, &packed, NULL) == PP_OK) {
      if (draw(&m, 2))
        packed.data[draw(&m, packed.size)] ^= (uint8_t)(1u << draw(&m, 8));
      LLVMFuzzerTestOneInput(packed.data, packed.size);
    } else {
      LLVMFuzzerTestOneInput(data, size);
    }
    pp_bytes_free(&packed);
  }
  for (size_t i = 0; i < m.n_seeds; i++)
    pp_bytes_free(&m.seeds[i]);
  printf("%zu runs of %zu seeds\n", runs, m.n_seeds);
  return 0;
}

#endif
