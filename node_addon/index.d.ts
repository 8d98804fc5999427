// SPDX-License-Identifier: Apache-2.0
/// <reference types="node" />

declare const opaque: unique symbol;

/** Beyond 2^53, integers are BigInts. What is missing is 0, null or []. Strings are indexes of the string table. */
export type Integer = number | bigint;

export interface ValueType {
  type: Integer;
  unit: Integer;
}

export interface Label {
  key: Integer;
  str: Integer;
  num: Integer;
  numUnit: Integer;
}

export interface Sample {
  locationId: Integer[];
  value: Integer[];
  label: Label[];
}

export interface Mapping {
  id: Integer;
  memoryStart: Integer;
  memoryLimit: Integer;
  fileOffset: Integer;
  filename: Integer;
  buildId: Integer;
  hasFunctions: boolean;
  hasFilenames: boolean;
  hasLineNumbers: boolean;
  hasInlineFrames: boolean;
}

export interface Line {
  functionId: Integer;
  line: Integer;
  column: Integer;
}

export interface Location {
  id: Integer;
  mappingId: Integer;
  address: Integer;
  line: Line[];
  isFolded: boolean;
}

export interface Function {
  id: Integer;
  name: Integer;
  systemName: Integer;
  filename: Integer;
  startLine: Integer;
}

/** The messages of pprof's format, as plain objects. */
export interface ProfileFields {
  sampleType: ValueType[];
  sample: Sample[];
  mapping: Mapping[];
  location: Location[];
  function: Function[];
  stringTable: string[];
  dropFrames: Integer;
  keepFrames: Integer;
  timeNanos: Integer;
  durationNanos: Integer;
  periodType: ValueType | null;
  period: Integer;
  comment: Integer[];
  defaultSampleType: Integer;
}

/** A profile that the caller has made. */
export type MadeProfile = Partial<ProfileFields> & Pick<ProfileFields, 'stringTable'>;

/**
 * A finished profile. Give it to `encode` or `encodeSync`. Its fields are made when the first of them is read, on the
 * event loop; whoever does not read them pays nothing. They may be changed: what is encoded then is what they say.
 * Times, as nanoseconds since 1970, are BigInts, which JSON does not know.
 */
export interface Profile extends ProfileFields {
  readonly [opaque]: never;
}

/**
 * - `recreate` creates V8's CpuProfiler for each profile and disposes of it afterwards. Each start blocks
 *   while V8 walks the heap, and loops that were optimised before it are counted on their callers.
 * - `keep` holds one for the environment's life. It blocks as well, and leaks memory on Node 12.16 to 15.
 * - `eager` holds one that notes code as it is compiled: starting is quick whatever the heap, but on Node 12 to 15
 *   memory grows with each script that is made (`eval`, `new Function`, `vm`), and making scripts takes a third longer.
 * - `auto` (the default) is `eager` with a bound of 32 MB on that memory, and `recreate` while scripts are made so fast
 *   that `eager` would cost more. It never changes while a profile runs.
 */
export type Policy = 'recreate' | 'keep' | 'eager' | 'auto';

/** `debug` (the default) makes up names for functions that have none where V8 can; `standard` does not. */
export type Naming = 'debug' | 'standard';

/** What V8 counts time outside of JavaScript as. */
export type Entry = '(program)' | '(idle)' | '(garbage collector)';

export interface PrepareOptions {
  policy?: Policy;
  /** As in the start that follows, or the profiler is created again then. */
  naming?: Naming;
}

export interface State {
  readonly running: boolean;
  /** How V8's profiler, if there is one now, learns of code. `keep-alive` is what `eager` has to be on Node 12.14. */
  readonly logging: 'none' | 'lazy' | 'eager' | 'keep-alive';
  /**
   * What V8 holds for code that `eager` or `auto` has noted and will only give back with the profiler: an estimate, of at
   * most a second ago.
   */
  readonly heldBytes: number;
  /**
   * For how long the event loop was blocked so far to give V8 back what finished profiles took, in milliseconds: this
   * happens in turns of the loop of its own, before `encode` resolves.
   */
  readonly releaseMillis: number;
}

export interface StartOptions {
  policy?: Policy;
  /** Distance of two samples in microseconds, an integer from 1 to 2,147,483,647. Default: 1000. */
  intervalMicros?: number;
  /** Whether samples carry the line that was executing. Default: true. */
  lineNumbers?: boolean;
  /** Whether callers carry the line of their call, where V8 knows it. Stopping takes twice as long. Default: false. */
  callLines?: boolean;
  naming?: Naming;
  /** What to leave out. The other values stay what they are, and so no longer sum to the duration. Default: nothing. */
  omit?: Entry[];
  /** Whether each sample is written by itself, with its time (label `timestamp`) and without line. Default: false. */
  timestamps?: boolean;
  /** How many samples get a time; those beyond are added up as without. From 1 to 2,147,483,647; default: 100,000. */
  maxSamples?: number;
  /** Puts the source files in the place of what was compiled from them. */
  sourceMapper?: SourceMapper | null;
  /** Accepted because callers of `pprof` give one; profiles have no name. */
  name?: string;
}

export interface ProfileOptions extends StartOptions {
  /** For how long to profile, an integer from 1 to 2,147,483,647. */
  durationMillis: number;
}

/**
 * Wrong options throw a TypeError with the code ERR_INVALID_ARG_TYPE or a RangeError with ERR_OUT_OF_RANGE, and change
 * nothing. Other failures are Errors with one of these codes:
 *
 * - ERR_PPROF_ALREADY_STARTED, ERR_PPROF_NOT_STARTED: a profile is running, or none is
 * - ERR_PPROF_INVALID: V8 refused to start a profile, or gave none; `encode` has its own
 * - ERR_PPROF_NOMEM, ERR_PPROF_LIMIT: there is not enough memory, or the profile is larger than the format's limits
 * - ERR_PPROF_NOT_BUILT, when the package is loaded: it has no binary for this Node
 */
export const time: {
  /**
   * With `eager` and `auto`, creates V8's profiler now: the next start is quick, and the profile will know loops that
   * are optimised in between. Call it early. Does nothing for the other policies.
   * @throws ERR_PPROF_ALREADY_STARTED while a profile is running.
   */
  prepare(options?: PrepareOptions): void;
  /**
   * Starts a profile of this thread.
   * @returns a function that stops this profile, and no other.
   * @throws ERR_PPROF_ALREADY_STARTED while a profile is running.
   */
  start(options?: StartOptions): () => Profile;
  /** As the `pprof` package has it. */
  start(intervalMicros: number, name?: string, sourceMapper?: SourceMapper | null, lineNumbers?: boolean): () => Profile;
  /** @throws ERR_PPROF_NOT_STARTED if no profile is running. */
  stop(): Profile;
  /** Starts a profile and stops it after `durationMillis`. Rejects where `start` and `stop` throw. */
  profile(options: ProfileOptions): Promise<Profile>;
  state(): State;
};

/** V8's sampling heap profiler: what is alive, and where it was allocated. One for the thread. */
export const heap: {
  /**
   * @param intervalBytes mean distance of two samples, in bytes allocated; an integer from 1 to 2,147,483,647.
   * Default: 524,288.
   * @param stackDepth how many frames are kept, an integer from 1 to 512. Default: 64.
   * @throws ERR_PPROF_ALREADY_STARTED
   */
  start(intervalBytes?: number, stackDepth?: number): void;
  /**
   * What is alive now: objects/count and space/bytes. The sampling goes on.
   * @param ignoreSamplePath leaves out what files whose path contains this have allocated, and what they called has:
   * the path of the generated file.
   * @throws ERR_PPROF_NOT_STARTED
   */
  profile(ignoreSamplePath?: string, sourceMapper?: SourceMapper | null): Profile;
  /** Does nothing if it is not on. */
  stop(): void;
};

/**
 * Finds the sources of generated files (TypeScript, bundles) by their source maps: by the `sourceMappingURL` in the
 * file, which may be a `data:` URL, else by the `.map` file beside it. A map is read when a profile first has its file,
 * and kept. `encode` does that on a thread, `encodeSync` and reading a profile's fields on the event loop.
 *
 * Functions get the name, file and line of their definition, executing lines and call lines become the source's. A line
 * is left out where it is not certain: V8 tells columns from Node 26 on only, so where several lines of the source are
 * in one line of the generated code, as in minified code, the function is all that is known before.
 */
export class SourceMapper {
  /**
   * @param searchDirs files in and below these directories are mapped, others are not.
   * @throws if one of them cannot be read.
   */
  static create(searchDirs: string[]): Promise<SourceMapper>;
  constructor(searchDirs?: string[]);
  /** The files whose maps are not there or not right, with the reason. What is not right is also warned of, once. */
  readonly skipped: Array<{ file: string; reason: string }>;
}

/**
 * The profile in pprof's format, gzip'ed; the work is done off the event loop, but for profiles whose fields were read, or
 * that the caller has made: they are turned into bytes on it, and compressed off it. The same bytes however often.
 *
 * Rejects with ERR_INVALID_ARG_TYPE what is neither a Profile nor an object with a `stringTable`, and values that do not
 * belong into a field; with ERR_PPROF_INVALID a profile that was not read before its thread ended; with ERR_PPROF_NOMEM
 * and ERR_PPROF_LIMIT where memory or the format's limits are exceeded.
 */
export function encode(profile: Profile | MadeProfile): Promise<Buffer>;

/** The same on the event loop: throws where `encode` rejects. */
export function encodeSync(profile: Profile | MadeProfile): Buffer;
