// SPDX-License-Identifier: Apache-2.0
'use strict';
// The source maps of generated files: found and read, synchronously, when a file is first asked for.

const { readFileSync } = require('fs');
const path = require('path');
const { fileURLToPath } = require('url');

const COMMENT = /^[ \t]*(?:\/\/|\/\*)[#@][ \t]*sourceMappingURL=(\S+?)(?:[ \t]*\*\/)?[ \t]*$/gm;
const DATA_URL = /^data:[^,]*?(;base64)?,(.*)$/;
const SCHEME = /^[a-z][a-z0-9+.-]+:/i;

const MAX_INT32 = 0x7fffffff;

// A segment of a mapping: [generated column, source, line, column, name], all from 0; the last, or all but the first,
// may be missing.
const COLUMN = 0;
const SOURCE = 1;
const LINE = 2;
const COLUMN_OF_SOURCE = 3;
const NAME = 4;

/** A generated file whose map could be read. Lines and columns count from 1. */
class MappedFile {
  constructor(lines, segments, sources, names) {
    this.lines = lines;
    this.segments = segments;
    this.sources = sources; // a path or URL each; null for what stems from no file
    this.names = names;
  }

  /** The mappings of a generated line, in the order of their columns. */
  line(number) {
    return this.segments[number - 1] || [];
  }

  /** The index of the last of those that begin at a column or before; -1 if there is none. */
  indexAt(number, column) {
    const segments = this.line(number);
    let low = 0;
    let high = segments.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (segments[middle][COLUMN] < column) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** The path of the source file that a segment stems from, or null. */
  sourceOf(segment) {
    if (segment === undefined || segment.length <= SOURCE) return null;
    const valid = [LINE, COLUMN_OF_SOURCE].every((i) => segment[i] >= 0 && segment[i] < MAX_INT32);
    return (valid && this.sources[segment[SOURCE]]) || null;
  }

  /** What the source calls the identifier that begins where a segment does, if that is `identifier`; else undefined. */
  nameOf(number, segment, identifier) {
    if (segment.length <= NAME || this.lines === null) return undefined;
    const line = this.lines[number - 1] || ''; // the file may be another by now
    const text = line.slice(segment[COLUMN], segment[COLUMN] + identifier.length + 1);
    const same = text.startsWith(identifier) && !/[\w$]/.test(text.slice(identifier.length));
    const name = this.names[segment[NAME]];
    return same && typeof name === 'string' ? name : undefined;
  }
}

/** @returns a path, or null for what is neither a path nor the URL of a local file */
function localPath(directory, url) {
  if (/^file:/i.test(url)) return fileURLToPath(url);
  return SCHEME.test(url) ? null : path.resolve(directory, url);
}

function unescaped(url) {
  try {
    return decodeURIComponent(url);
  } catch (error) { // a path with a % of its own
    return url;
  }
}

function sourcePath(directory, source) {
  if (source === null) return null;
  const local = localPath(directory, source);
  return local === null ? source : local; // webpack:///./src/a.ts
}

function lastComment(text) {
  let url = null;
  for (const match of text.matchAll(COMMENT)) url = match[1];
  return url;
}

function isSourceMap(raw) {
  return raw !== null && raw.version === 3
    && (Array.isArray(raw.sections) || (Array.isArray(raw.sources) && typeof raw.mappings === 'string'));
}

/** The map's text and the directory that its sources are relative to; null if the file says nothing of a map. */
function findMap(file, text) {
  const directory = path.dirname(file);
  const url = lastComment(text);
  if (url === null) {
    try {
      return { json: readFileSync(`${file}.map`, 'utf8'), directory };
    } catch (error) {
      return null;
    }
  }
  const data = DATA_URL.exec(url);
  if (data !== null) {
    const json = data[1] ? Buffer.from(data[2], 'base64').toString() : unescaped(data[2]);
    return { json, directory };
  }
  const map = localPath(directory, unescaped(url));
  if (map === null) throw new Error(`its map is not a local file: ${url}`);
  return { json: readFileSync(map, 'utf8'), directory: path.dirname(map) };
}

/** Maps of the files below some directories. `library` is @jridgewell/trace-mapping. */
class SourceMaps {
  constructor(directories, library) {
    this.directories = directories.map((directory) => path.join(directory, path.sep));
    this.library = library;
    this.files = new Map(); // file -> MappedFile, or null
    this.skipped = []; // {file, reason, broken: whether there is a map}
  }

  /** The MappedFile of a generated file; null if it has no map, or none that can be read: `skipped` says why. */
  get(file) {
    let mapped = this.files.get(file);
    if (mapped === undefined) {
      mapped = this.directories.some((directory) => file.startsWith(directory)) ? this.read(file) : null;
      this.files.set(file, mapped);
    }
    return mapped;
  }

  read(file) {
    let text;
    try {
      text = readFileSync(file, 'utf8');
    } catch (error) { // its code came from elsewhere
      return null;
    }
    try {
      const map = findMap(file, text);
      return map === null ? null : this.parse(text, map);
    } catch (error) {
      this.skipped.push({ file, reason: error.message, broken: error.code !== 'ENOENT' });
      return null;
    }
  }

  parse(text, { json, directory }) {
    const { FlattenMap, decodedMappings } = this.library;
    const raw = JSON.parse(json.replace(/^\)\]\}'[^\n]*\n/, '')); // some servers put that before JSON
    if (!isSourceMap(raw)) throw new Error('its map is not a source map of version 3');
    const map = new FlattenMap(raw);
    const segments = decodedMappings(map);
    const sources = map.resolvedSources.map((source) => sourcePath(directory, source));
    return new MappedFile(map.names.length > 0 ? text.split('\n') : null, segments, sources, map.names);
  }
}

module.exports = { SourceMaps };
