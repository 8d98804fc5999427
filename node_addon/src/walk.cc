/* SPDX-License-Identifier: Apache-2.0
 *
 * walk.cc: reads V8's call tree once into a list of steps, shares the time out over the hits, and gives both to the
 * core's builder.
 */
#include "walk.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <unordered_map>
#include <vector>

namespace pyprof {
namespace {

using Node = v8::CpuProfileNode;

pp_str Borrow(const char *text) { return {text, std::strlen(text)}; }
pp_str Borrow(const std::string &text) { return {text.data(), text.size()}; }

int HexDigit(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  if (c >= 'A' && c <= 'F')
    return c - 'A' + 10;
  return -1;
}

// ES modules are named by URLs; every other part of a profile, and every reader, names files by paths. The query and
// the fragment are no part of the path. Anything but a local file:// URL stays what it is.
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
  return path;
}

struct Leaf { // hits whose innermost frame is one node, executing one line
  int64_t line, column;
  uint64_t hits;
};

struct Step { // one node of the tree, in the order of the walk
  const Node *node;
  size_t depth;      // V8's (root), which is no function, has 0
  size_t leaves_end; // its leaves are those up to here that no step before has
};

class Walker {
public:
  explicit Walker(bool line_numbers) : line_numbers_(line_numbers) {}

  void Collect(const Node *node, size_t depth) { // V8 bounds the depth at about 250
    const size_t first_step = steps_.size(), first_leaf = leaves_.size();
    CollectLeaves(node);
    steps_.push_back({node, depth, leaves_.size()});
    for (int i = 0; i < node->GetChildrenCount(); ++i)
      Collect(node->GetChild(i), depth + 1);
    if (leaves_.size() == first_leaf) // as in the stacks of start and stop, which V8 adds without a hit
      steps_.resize(first_step);
  }

  void Emit(pp_builder *builder, int64_t duration_nanos) {
    const std::vector<int64_t> wall = Shares(static_cast<uint64_t>(duration_nanos));
    size_t depth = 0, leaf = 0;
    for (const Step &step : steps_) {
      for (; depth > 0 && depth >= step.depth; --depth)
        pp_builder_leave(builder);
      if (step.depth > 0) {
        Enter(builder, step.node);
        ++depth;
      }
      for (; leaf < step.leaves_end; ++leaf) {
        const int64_t values[] = {static_cast<int64_t>(leaves_[leaf].hits), wall[leaf]};
        pp_builder_sample(builder, leaves_[leaf].line, leaves_[leaf].column, values);
      }
    }
    for (; depth > 0; --depth)
      pp_builder_leave(builder);
  }

private:
  void CollectLeaves(const Node *node) {
    uint64_t without_line = node->GetHitCount();
    ticks_.resize(line_numbers_ ? node->GetHitLineCount() : 0);
    if (!ticks_.empty() && node->GetLineTicks(ticks_.data(), static_cast<unsigned>(ticks_.size()))) {
      for (const Node::LineTick &tick : ticks_) {
        // V8 gives an inlined callee's line to the inliner. A line above the definition is certainly not this
        // function's own; 0 and -1 mean unknown.
        if (tick.line <= 0 || tick.line < node->GetLineNumber())
          continue;
        const uint64_t hits = std::min<uint64_t>(tick.hit_count, without_line);
        if (hits > 0)
          leaves_.push_back({tick.line, std::max(TickColumn(tick), 0), hits});
        without_line -= hits;
      }
    }
    if (without_line > 0)
      leaves_.push_back({0, 0, without_line});
  }

  // V8's real interval is longer than the one it was asked for, so hits x interval would fall short of the time that
  // passed. A leaf is worth hits x duration / all hits instead, rounded down; what rounding left goes to the largest
  // leaf, so that the values sum to the duration exactly.
  std::vector<int64_t> Shares(uint64_t duration) const {
    uint64_t total = 0;
    for (const Leaf &leaf : leaves_)
      total += leaf.hits;
    std::vector<int64_t> shares;
    if (total == 0)
      return shares;
    uint64_t rest = duration;
    for (const Leaf &leaf : leaves_) {
      // hits * duration / total, without the overflow
      const uint64_t share = leaf.hits * (duration / total) + leaf.hits * (duration % total) / total;
      shares.push_back(static_cast<int64_t>(share));
      rest -= share;
    }
    shares[static_cast<size_t>(std::max_element(shares.begin(), shares.end()) - shares.begin())] +=
        static_cast<int64_t>(rest);
    return shares;
  }

  void Enter(pp_builder *builder, const Node *node) {
    const char *name = node->GetFunctionNameStr();
    pp_frame frame = {};
    frame.name = Borrow(*name != '\0' ? name : "(anonymous)");
    frame.filename = Borrow(Path(node->GetScriptResourceNameStr()));
    frame.start_line = std::max(node->GetLineNumber(), 0);
    frame.start_column = std::max(node->GetColumnNumber(), 0);
    pp_builder_enter(builder, &frame);
  }

  // V8 holds each script's name once per profile, nearly always: its address finds the path without reading it.
  const std::string &Path(const char *url) {
    const auto found = paths_.find(url);
    return found != paths_.end() ? found->second : paths_.emplace(url, PathOfUrl(url)).first->second;
  }

  const bool line_numbers_;
  std::vector<Step> steps_;
  std::vector<Leaf> leaves_;
  std::vector<Node::LineTick> ticks_; // room for one node's
  std::unordered_map<const char *, std::string> paths_;
};

} // namespace

pp_builder *Walk(const v8::CpuProfile *profile, const WalkOptions &options, pp_error *error) {
  const pp_value_type wall = {Borrow("wall"), Borrow("nanoseconds")};
  const pp_value_type sample_types[] = {{Borrow("samples"), Borrow("count")}, wall};
  const pp_builder_options builder_options = {
      sample_types, 2, wall, options.period_nanos, options.time_nanos, options.duration_nanos,
  };
  pp_builder *builder = pp_builder_new(&builder_options, error);
  if (builder == nullptr)
    return nullptr;
  Walker walker(options.line_numbers);
  walker.Collect(profile->GetTopDownRoot(), 0);
  walker.Emit(builder, options.duration_nanos);
  return builder;
}

} // namespace pyprof
