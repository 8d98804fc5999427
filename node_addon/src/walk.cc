/* SPDX-License-Identifier: Apache-2.0
 *
 * walk.cc: reads V8's call tree once into a list of steps, shares the time out over the hits, and gives both to the
 * core's builder. Where there is a tree of calls, that is the one that is read, and each of its nodes is looked up in
 * the tree of definitions: V8 takes the same samples for both, but splits a node of the former by the line it is called
 * from.
 */
#include "walk.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <unordered_map>
#include <vector>

#include "file_url.h"

namespace pyprof {
namespace {

using Node = v8::CpuProfileNode;

pp_str Borrow(const char *text) { return {text, std::strlen(text)}; }
pp_str Borrow(const std::string &text) { return {text.data(), text.size()}; }

bool SameFunction(const Node *a, const Node *b) {
  if (a->GetScriptId() != b->GetScriptId())
    return false;
#if V8_MAJOR_VERSION < 14 // from there on, that of a call
  if (a->GetColumnNumber() != b->GetColumnNumber())
    return false;
#endif
  return std::strcmp(a->GetFunctionNameStr(), b->GetFunctionNameStr()) == 0 &&
         std::strcmp(a->GetScriptResourceNameStr(), b->GetScriptResourceNameStr()) == 0;
}

using Ticks = std::vector<Node::LineTick>;

void ReadTicks(const Node *node, Ticks *ticks) {
  ticks->resize(node->GetHitLineCount());
  if (!ticks->empty() && !node->GetLineTicks(ticks->data(), static_cast<unsigned>(ticks->size())))
    ticks->clear();
}

// How much of what is known of `call` is found in `definition` as well: lines that were executing, and callees.
size_t Likeness(const Node *call, const Node *definition) {
  size_t n = 0;
  Ticks theirs, ours;
  ReadTicks(call, &theirs);
  ReadTicks(definition, &ours);
  for (const Node::LineTick &tick : theirs) {
    n += std::any_of(ours.begin(), ours.end(), [&](const Node::LineTick &other) { return other.line == tick.line; });
  }
  for (int i = 0; i < call->GetChildrenCount(); ++i) {
    for (int j = 0; j < definition->GetChildrenCount(); ++j)
      n += SameFunction(call->GetChild(i), definition->GetChild(j));
  }
  return n;
}

// The child of `definition` that a node of the tree of calls belongs to; nullptr if there is none. Where V8 tells two
// functions apart by their lines only, it is the one that is more like it.
const Node *Match(const Node *call, const Node *definition) {
  const Node *best = nullptr;
  size_t best_likeness = 0;
  for (int i = 0; definition != nullptr && i < definition->GetChildrenCount(); ++i) {
    const Node *child = definition->GetChild(i);
    if (!SameFunction(call, child))
      continue;
    if (best == nullptr) {
      best = child;
      continue;
    }
    if (best_likeness == 0)
      best_likeness = Likeness(call, best);
    const size_t likeness = Likeness(call, child);
    if (likeness > best_likeness) {
      best = child;
      best_likeness = likeness;
    }
  }
  return best;
}

int Known(int line_or_column) { return std::max(line_or_column, 0); } // V8 gives 0 or -1 for unknown

struct Place {
  int64_t line, column; // from 1; 0 if unknown
};

struct Leaf { // hits whose innermost frame is one node, executing one line
  Place place;
  uint64_t hits;
  int64_t timestamp; // of the only hit, or 0
};

struct Step { // one node of the tree, in the order of the walk
  const Node *node;
  const Node *definition; // its like that knows where the function is defined, or nullptr
  size_t depth;           // V8's (root), which is no function, has 0
  Place call;             // where its caller called it
  size_t leaves_end;      // its leaves are those up to here that no step before has
};

class Walker {
public:
  explicit Walker(const WalkOptions &options) : options_(options) {}

  void CollectTimes(const v8::CpuProfile *profile) {
    for (int i = 0; i < profile->GetSamplesCount(); ++i) {
      const int64_t nanos = profile->GetSampleTimestamp(i) * 1000; // of CLOCK_MONOTONIC
      times_[profile->GetSample(i)].push_back(options_.time_nanos + (nanos - options_.monotonic_nanos));
    }
  }

  void Collect(const Node *node, const Node *definition, size_t depth, Place call) { // V8 bounds the depth at about 250
    if (depth == 1 && Omitted(node)) {
      omitted_ += node->GetHitCount();
      return;
    }
    const size_t first_step = steps_.size(), first_leaf = leaves_.size();
    const int defined_at = definition != nullptr ? Known(definition->GetLineNumber()) : 0;
    CollectLeaves(node, defined_at);
    steps_.push_back({node, definition, depth, call, leaves_.size()});
    for (int i = 0; i < node->GetChildrenCount(); ++i) {
      const Node *child = node->GetChild(i);
      if (node == definition)
        Collect(child, child, depth + 1, {0, 0});
      else
        Collect(child, Match(child, definition), depth + 1, depth > 0 ? CallOf(child, defined_at) : Place{0, 0});
    }
    if (leaves_.size() == first_leaf) // as in the stacks of start and stop, which V8 adds without a hit
      steps_.resize(first_step);
  }

  void Emit(pp_builder *builder) {
    const std::vector<int64_t> wall = Shares(static_cast<uint64_t>(options_.duration_nanos));
    std::vector<Entered> stack;
    size_t leaf = 0;
    for (const Step &step : steps_) {
      for (; !stack.empty() && stack.size() >= step.depth; stack.pop_back())
        pp_builder_leave(builder);
      if (step.depth > 0) {
        // The caller is where this one says: entered anew, if it was elsewhere so far.
        if (!stack.empty() && stack.back().line != step.call.line) {
          pp_builder_leave(builder);
          stack.back().line = step.call.line;
          Enter(builder, *stack.back().step, step.call);
        }
        Enter(builder, step, {0, 0});
        stack.push_back({&step, 0});
      }
      for (; leaf < step.leaves_end; ++leaf)
        Sample(builder, leaves_[leaf], wall[leaf]);
    }
    for (; !stack.empty(); stack.pop_back())
      pp_builder_leave(builder);
  }

private:
  struct Entered {
    const Step *step;
    int64_t line;
  };

  bool Omitted(const Node *node) const {
    if (node->GetScriptId() != 0)
      return false;
    const std::string name = node->GetFunctionNameStr();
    return (options_.omit_program && name == "(program)") || (options_.omit_idle && name == "(idle)") ||
           (options_.omit_gc && name == "(garbage collector)");
  }

  // V8 gives an inlined callee's line to the inliner. A line above the definition is certainly not this function's own.
  static bool Foreign(int line, int defined_at) { return line <= 0 || line < defined_at; }

  static Place CallOf(const Node *node, int defined_at) {
    if (Foreign(node->GetLineNumber(), defined_at))
      return {0, 0};
#if V8_MAJOR_VERSION >= 14
    return {node->GetLineNumber(), Known(node->GetColumnNumber())};
#else
    return {node->GetLineNumber(), 0};
#endif
  }

  void CollectLeaves(const Node *node, int defined_at) {
    uint64_t rest = node->GetHitCount();
    const auto times = times_.find(node);
    for (size_t i = 0; times != times_.end() && i < times->second.size() && rest > 0; ++i, --rest)
      leaves_.push_back({{0, 0}, 1, times->second[i]});
    if (options_.line_numbers) {
      ReadTicks(node, &ticks_);
      for (const Node::LineTick &tick : ticks_) {
        const uint64_t hits = std::min<uint64_t>(tick.hit_count, rest);
        if (hits == 0 || Foreign(tick.line, defined_at))
          continue;
        leaves_.push_back({{tick.line, Known(TickColumn(tick))}, hits, 0});
        rest -= hits;
      }
    }
    if (rest > 0)
      leaves_.push_back({{0, 0}, rest, 0});
  }

  static void Sample(pp_builder *builder, const Leaf &leaf, int64_t wall) {
    const int64_t values[] = {static_cast<int64_t>(leaf.hits), wall};
    const pp_label label = {Borrow("timestamp"), Borrow(""), leaf.timestamp, Borrow("nanoseconds")};
    pp_builder_labelled_sample(builder, leaf.place.line, leaf.place.column, values, &label, leaf.timestamp != 0);
  }

  // V8's real interval is longer than the one it was asked for, so hits x interval would fall short of the time that
  // passed. A leaf is worth hits x duration / all hits instead, rounded down; what rounding left goes to the largest
  // leaf, so that the values sum to the duration exactly (less what was omitted).
  std::vector<int64_t> Shares(uint64_t duration) const {
    uint64_t total = omitted_;
    for (const Leaf &leaf : leaves_)
      total += leaf.hits;
    std::vector<int64_t> shares;
    if (leaves_.empty())
      return shares;
    // hits * duration / total, without the overflow
    const auto share_of = [&](uint64_t hits) { return hits * (duration / total) + hits * (duration % total) / total; };
    uint64_t rest = duration - share_of(omitted_);
    for (const Leaf &leaf : leaves_) {
      const uint64_t share = share_of(leaf.hits);
      shares.push_back(static_cast<int64_t>(share));
      rest -= share;
    }
    shares[static_cast<size_t>(std::max_element(shares.begin(), shares.end()) - shares.begin())] +=
        static_cast<int64_t>(rest);
    return shares;
  }

  void Enter(pp_builder *builder, const Step &step, Place at) {
    const char *name = step.node->GetFunctionNameStr();
    pp_frame frame = {};
    frame.name = Borrow(*name != '\0' ? name : "(anonymous)");
    frame.filename = Borrow(Path(step.node->GetScriptResourceNameStr()));
    if (step.definition != nullptr) {
      frame.start_line = Known(step.definition->GetLineNumber());
      frame.start_column = Known(step.definition->GetColumnNumber());
    }
    frame.line = at.line;
    frame.column = at.column;
    pp_builder_enter(builder, &frame);
  }

  // V8 holds each script's name once per profile, nearly always: its address finds the path without reading it.
  const std::string &Path(const char *url) {
    const auto found = paths_.find(url);
    return found != paths_.end() ? found->second : paths_.emplace(url, PathOfUrl(url)).first->second;
  }

  const WalkOptions options_;
  std::vector<Step> steps_;
  std::vector<Leaf> leaves_;
  uint64_t omitted_ = 0; // hits
  Ticks ticks_;          // of one node
  std::unordered_map<const Node *, std::vector<int64_t>> times_;
  std::unordered_map<const char *, std::string> paths_;
};

} // namespace

pp_builder *Walk(const V8Trees &trees, const WalkOptions &options, pp_error *error) {
  const pp_value_type wall = {Borrow("wall"), Borrow("nanoseconds")};
  const pp_value_type sample_types[] = {{Borrow("samples"), Borrow("count")}, wall};
  const pp_builder_options builder_options = {
      sample_types, 2, wall, options.period_nanos, options.time_nanos, options.duration_nanos,
  };
  pp_builder *builder = pp_builder_new(&builder_options, error);
  if (builder == nullptr)
    return nullptr;
  const v8::CpuProfile *profile = trees.calls != nullptr ? trees.calls.get() : trees.definitions.get();
  Walker walker(options);
  walker.CollectTimes(profile);
  walker.Collect(profile->GetTopDownRoot(), trees.definitions->GetTopDownRoot(), 0, {0, 0});
  walker.Emit(builder);
  return builder;
}

} // namespace pyprof
