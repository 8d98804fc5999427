// SPDX-License-Identifier: Apache-2.0

declare const opaque: unique symbol;

/** A finished profile, as `stop()` returns it. Give it to `encode` or `encodeSync`. */
export interface Profile {
  readonly [opaque]: never;
}

/**
 * `recreate` (the default) creates V8's CpuProfiler for each profile and disposes of it afterwards. `keep` holds one for
 * the environment's life, which leaks memory on Node 12.16 to 15.
 */
export type Policy = 'recreate' | 'keep';

export interface StartOptions {
  policy?: Policy;
  /** Distance of two samples in microseconds, an integer of 1 or more. Default: 1000. */
  intervalMicros?: number;
  /** Whether samples carry the line that was executing. Default: true. */
  lineNumbers?: boolean;
  /** Accepted because callers of `pprof` give one; profiles have no name. */
  name?: string;
}

export interface ProfileOptions extends StartOptions {
  /** For how long to profile, an integer of 1 or more. */
  durationMillis: number;
}

/**
 * Wrong options throw a TypeError with the code ERR_INVALID_ARG_TYPE or a RangeError with ERR_OUT_OF_RANGE, and change
 * nothing. Other failures are Errors with a code that begins with ERR_PPROF_.
 */
export const time: {
  /**
   * Starts a profile of this thread.
   * @returns a function that stops this profile, and no other.
   * @throws ERR_PPROF_ALREADY_STARTED while a profile is running.
   */
  start(options?: StartOptions): () => Profile;
  /** @throws ERR_PPROF_NOT_STARTED if no profile is running. */
  stop(): Profile;
  /** Starts a profile and stops it after `durationMillis`. Rejects where `start` and `stop` throw. */
  profile(options: ProfileOptions): Promise<Profile>;
};

/** The profile in pprof's format, gzip'ed; the work is done off the event loop. */
export function encode(profile: Profile): Promise<Buffer>;

/** The same on the event loop. */
export function encodeSync(profile: Profile): Buffer;
