/* SPDX-License-Identifier: Apache-2.0 */
#include "heap_profiler.h"

#include <v8-profiler.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>

#include "file_url.h"

namespace pyprof {
namespace {

using Node = v8::AllocationProfile::Node;

pp_str Borrow(const char *text) { return {text, std::strlen(text)}; }
pp_str Borrow(const std::string &text) { return {text.data(), text.size()}; }

class HeapWalker {
public:
  HeapWalker(v8::Isolate *isolate, pp_builder *builder, const std::string &ignored_path)
      : isolate_(isolate), builder_(builder), ignored_path_(ignored_path) {}

  void Walk(const Node *root) { // V8's (root) is no function
    Add(root);
    for (const Node *child : root->children)
      Enter(child);
  }

private:
  void Enter(const Node *node) {
    const std::string path = PathOfUrl(Text(node->script_name).c_str());
    if (!ignored_path_.empty() && path.find(ignored_path_) != std::string::npos)
      return;
    const std::string name = Text(node->name);
    pp_frame frame = {};
    frame.name = name.empty() ? Borrow("(anonymous)") : Borrow(name);
    frame.filename = Borrow(path);
    frame.start_line = std::max(node->line_number, 0);
    frame.start_column = std::max(node->column_number, 0);
    pp_builder_enter(builder_, &frame);
    Add(node);
    for (const Node *child : node->children)
      Enter(child);
    pp_builder_leave(builder_);
  }

  void Add(const Node *node) {
    for (const v8::AllocationProfile::Allocation &allocation : node->allocations) {
      const int64_t values[] = {allocation.count, static_cast<int64_t>(allocation.size * allocation.count)};
      pp_builder_sample(builder_, 0, 0, values);
    }
  }

  std::string Text(v8::Local<v8::String> string) const {
    const v8::String::Utf8Value text(isolate_, string);
    return *text != nullptr ? std::string(*text, static_cast<size_t>(text.length())) : std::string();
  }

  v8::Isolate *const isolate_;
  pp_builder *const builder_;
  const std::string &ignored_path_;
};

} // namespace

bool HeapSampler::Start(int interval_bytes, int stack_depth) {
  const uint64_t interval = static_cast<uint64_t>(interval_bytes);
  if (!isolate_->GetHeapProfiler()->StartSamplingHeapProfiler(interval, stack_depth))
    return false;
  interval_bytes_ = interval_bytes;
  return true;
}

void HeapSampler::Stop() {
  if (interval_bytes_ != 0)
    isolate_->GetHeapProfiler()->StopSamplingHeapProfiler();
  interval_bytes_ = 0;
}

pp_builder *HeapSampler::Take(const std::string &ignored_path, pp_error *error) const {
  const v8::HandleScope scope(isolate_);
  const std::unique_ptr<v8::AllocationProfile> profile(isolate_->GetHeapProfiler()->GetAllocationProfile());
  if (profile == nullptr) {
    *error = {PP_INVALID, 0, "V8 returned no heap profile"};
    return nullptr;
  }
  const pp_value_type space = {Borrow("space"), Borrow("bytes")};
  const pp_value_type sample_types[] = {{Borrow("objects"), Borrow("count")}, space};
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const pp_builder_options options = {
      sample_types, 2, space, interval_bytes_, std::chrono::duration_cast<std::chrono::nanoseconds>(now).count(), 0,
  };
  pp_builder *builder = pp_builder_new(&options, error);
  if (builder != nullptr)
    HeapWalker(isolate_, builder, ignored_path).Walk(profile->GetRootNode());
  return builder;
}

} // namespace pyprof
