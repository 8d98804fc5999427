// SPDX-License-Identifier: Apache-2.0
'use strict';
// From the places of a profile in generated code to those in its sources. Places are
//   {files: [string], names: [string], functions: Int32Array, places: Int32Array}
// where functions has, for each name, the index of its file and the line and column of its definition, and places has
// the index of a function, a line and a column each. Lines and columns count from 1; 0 is unknown.

const UNKNOWN = [0, 0];
const MAX_NAME_DISTANCE = 16; // segments between a function's name and its parameters

/** Functions, each once. They are numbered after those that were given, which need not be repeated. */
class Functions {
  constructor(nGiven) {
    this.nGiven = nGiven;
    this.indices = new Map();
    this.fileIndices = new Map();
    this.names = [];
    this.functions = [];
  }

  indexOf(name, file, line, column) {
    const key = JSON.stringify([name, file, line, column]);
    let index = this.indices.get(key);
    if (index === undefined) {
      index = this.nGiven + this.names.length;
      this.indices.set(key, index);
      this.functions.push(this.fileIndex(file), line, column);
      this.names.push(name);
    }
    return index;
  }

  fileIndex(file) {
    if (!this.fileIndices.has(file)) this.fileIndices.set(file, this.fileIndices.size);
    return this.fileIndices.get(file);
  }
}

/** V8's name, with its last part as the source has it. */
function sourceName(mapped, line, at, name) {
  const [identifier] = /[\w$\u0080-\uffff]*$/.exec(name);
  const segments = mapped.line(line);
  for (let i = at; identifier !== '' && i >= Math.max(0, at - MAX_NAME_DISTANCE); i--) {
    const found = mapped.nameOf(line, segments[i], identifier);
    if (found !== undefined) return name.slice(0, name.length - identifier.length) + found;
  }
  return name;
}

/** A function of a generated file that has a map. */
class MappedFunction {
  constructor(mapped, name, line, column) {
    this.mapped = mapped;
    this.name = name;
    this.line = line;
    this.at = mapped.indexAt(line, column); // of the segment that it begins in
    this.definition = mapped.line(line)[this.at];
    this.file = mapped.sourceOf(this.definition); // null if it is not known where it stems from
    if (this.file !== null) this.name = sourceName(mapped, line, this.at, name);
    this.isScript = line === 1 && column === 1;
  }

  /** The index of the original function that this is, as seen from a place in it, and the original place. */
  original(line, column, functions) {
    if (this.file === null) return this.byPlace(line, column, functions);
    const [, , startLine, startColumn] = this.definition;
    return [
      functions.indexOf(this.name, this.file, startLine + 1, startColumn + 1), ...this.place(line, column, startLine),
    ];
  }

  // A script, or what a bundler has wrapped around one: the line tells which of the sources is meant.
  byPlace(line, column, functions) {
    const segments = this.mapped.line(line);
    const segment = column > 0 ? segments[this.mapped.indexAt(line, column)]
      : segments.find((one) => this.mapped.sourceOf(one) !== null);
    let file = this.mapped.sourceOf(segment);
    if (file === null && this.isScript && this.mapped.sources.length === 1) [file] = this.mapped.sources;
    if (file === null) return null;
    const start = this.isScript ? 1 : 0;
    const place = this.mapped.sourceOf(segment) === null ? UNKNOWN
      : [segment[2] + 1, column > 0 ? segment[3] + 1 : 0];
    return [functions.indexOf(this.name, file, start, start), ...place];
  }

  place(line, column, startLine) {
    if (line === 0) return UNKNOWN;
    const own = (segment) => this.mapped.sourceOf(segment) === this.file && segment[2] >= startLine;
    const segments = this.mapped.line(line);
    if (column > 0) {
      const segment = segments[this.mapped.indexAt(line, column)];
      return own(segment) ? [segment[2] + 1, segment[3] + 1] : UNKNOWN;
    }
    const first = line === this.line ? this.at : 0;
    let found = null;
    for (let i = first; i < segments.length; i++) {
      if (!own(segments[i])) continue;
      if (found === null) found = segments[i];
      // As in minified code, where all of it is in one line: V8 does not say which part of the function was executing.
      if (line === this.line && segments[i][2] !== found[2]) return UNKNOWN;
      if (line !== this.line) break;
    }
    return found === null ? UNKNOWN : [found[2] + 1, 0];
  }
}

/** The same places in the sources. Functions are numbered from the end of the given ones on where they have changed. */
function mapPlaces(given, maps) {
  const nGiven = given.names.length;
  const mapped = given.names.map((name, i) => {
    const [file, line, column] = given.functions.subarray(3 * i, 3 * i + 3);
    const found = maps.get(given.files[file]);
    return found === null ? null : new MappedFunction(found, name, line, column);
  });
  const functions = new Functions(nGiven);
  const places = Int32Array.from(given.places);
  for (let i = 0; i < places.length; i += 3) {
    const [index, line, column] = places.subarray(i, i + 3);
    const original = mapped[index] === null ? null : mapped[index].original(line, column, functions);
    if (original !== null) places.set(original, i);
  }
  return {
    files: Array.from(functions.fileIndices.keys()),
    names: functions.names,
    functions: Int32Array.from(functions.functions),
    places,
  };
}

module.exports = { mapPlaces };
