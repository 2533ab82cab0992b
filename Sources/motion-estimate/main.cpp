// The worker of motion-stream: one request from standard input, one answer to standard output.
//
// It is a process of its own because OpenCV loads some twenty libraries, which every start of the
// command would pay for, and because a model is a stranger's file: what crashes here, takes too much
// memory or never ends is one line there. Numbers are the machine's own, since both ends are.
//
//   request   u32 magic, verb, threads, then by verb
//     network   bytes model, bytes input name, bytes output name, tensor
//     grabcut   u32 rounds, tensor height x width x 3 (B, G, R, 0...255), tensor height x width of
//               seeds (0 sure background, 1 sure subject, 2 and 3 perhaps)
//   answer    u32 magic, then u32 0 and a tensor, or u32 1 and bytes that say what is wrong, or u32 2
//             and bytes that say which name is of no tensor of the model
//   bytes     u32 count, then so many
//   tensor    u32 rank, u32 a side each, then float samples
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include <sys/resource.h>
#ifdef __linux__
#include <signal.h>
#include <sys/prctl.h>
#endif

#ifdef ESTIMATION
#include <opencv2/core.hpp>
#include <opencv2/core/utils/logger.hpp>
#include <opencv2/dnn.hpp>
#include <opencv2/imgproc.hpp>
#endif

// Sanitizers map far more than they use.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#endif

namespace {

constexpr uint32_t magic = 0x3165736d;  // "mse1"
constexpr size_t mostBytes = size_t(1) << 30;
constexpr size_t mostSamples = size_t(1) << 26;
constexpr rlim_t mostMemory = rlim_t(6) << 30;

void readAll(void *place, size_t count) {
  if (count > 0 && fread(place, 1, count, stdin) != count) {
    throw std::runtime_error("the request ends too early");
  }
}

uint32_t readNumber() {
  uint32_t value;
  readAll(&value, sizeof value);
  return value;
}

std::vector<char> readBytes() {
  const size_t count = readNumber();
  if (count > mostBytes) throw std::runtime_error("the request is too large");
  std::vector<char> bytes(count);
  readAll(bytes.data(), count);
  return bytes;
}

std::string readText() {
  const auto bytes = readBytes();
  return std::string(bytes.begin(), bytes.end());
}

struct Tensor {
  std::vector<int> sides;
  std::vector<float> samples;
};

[[maybe_unused]] Tensor readTensor() {
  Tensor tensor;
  const uint32_t rank = readNumber();
  if (rank > 8) throw std::runtime_error("the request has too many axes");
  size_t count = 1;
  for (uint32_t axis = 0; axis < rank; axis++) {
    const uint32_t side = readNumber();
    if (side == 0 || side > mostSamples / count) {
      throw std::runtime_error("the request is too large");
    }
    count *= side;
    tensor.sides.push_back(int(side));
  }
  tensor.samples.resize(count);
  readAll(tensor.samples.data(), count * sizeof(float));
  return tensor;
}

void write(const void *start, size_t count) { fwrite(start, 1, count, stdout); }
void write(uint32_t value) { write(&value, sizeof value); }

/// The request names a tensor that the model does not have.
struct UnknownTensor : std::runtime_error {
  using std::runtime_error::runtime_error;
};

void answer(const std::string &problem, uint32_t status = 1) {
  write(magic);
  write(status);
  write(uint32_t(problem.size()));
  write(problem.data(), problem.size());
}

#ifdef ESTIMATION

/// The first line of what OpenCV says, as far as it can be told from where in its source it says it.
std::string reason(const cv::Exception &error) {
  std::string text = error.err.empty() ? error.msg : error.err;
  text = text.substr(0, text.find('\n'));
  const auto place = text.find("error: ");
  if (place != std::string::npos) text = text.substr(place + 7);
  const auto start = text.find_first_not_of("> ");
  return start == std::string::npos ? "it does not say why" : text.substr(start);
}

void answer(const cv::Mat &result) {
  write(magic);
  write(0);
  write(uint32_t(result.dims));
  for (int axis = 0; axis < result.dims; axis++) write(uint32_t(result.size[axis]));
  write(result.ptr(), result.total() * sizeof(float));
}

void runNetwork() {
  const auto model = readBytes();
  const auto input = readText();
  const auto output = readText();
  Tensor tensor = readTensor();
  cv::dnn::Net net = cv::dnn::readNetFromONNX(model.data(), model.size());
  if (net.empty()) throw std::runtime_error("it is no network");
  net.setPreferableBackend(cv::dnn::DNN_BACKEND_OPENCV);
  net.setPreferableTarget(cv::dnn::DNN_TARGET_CPU);
  cv::Mat result;
  try {
    net.setInput(cv::Mat(tensor.sides, CV_32F, tensor.samples.data()), input);
    result = net.forward(output);
  } catch (const cv::Exception &error) {
    const bool hasOutput = output.empty() || net.getLayerId(output) >= 0;
    if (!hasOutput || error.code == cv::Error::StsObjectNotFound) throw UnknownTensor(reason(error));
    throw;
  }
  if (result.type() != CV_32F) throw std::runtime_error("its output is no float tensor");
  if (result.total() > mostSamples) throw std::runtime_error("its output is too large");
  answer(result.isContinuous() ? result : result.clone());
}

void runGrabCut() {
  const int rounds = int(readNumber());
  const Tensor picture = readTensor(), seeds = readTensor();
  if (picture.sides.size() != 3 || seeds.sides.size() != 2 || picture.sides[2] != 3 ||
      picture.sides[0] != seeds.sides[0] || picture.sides[1] != seeds.sides[1]) {
    throw std::runtime_error("picture and seeds differ in size");
  }
  const int height = seeds.sides[0], width = seeds.sides[1];
  cv::Mat colours(height, width, CV_8UC3), mask(height, width, CV_8U);
  for (size_t i = 0; i < picture.samples.size(); i++) {
    colours.data[i] = cv::saturate_cast<uchar>(picture.samples[i]);
  }
  for (size_t i = 0; i < seeds.samples.size(); i++) mask.data[i] = uchar(seeds.samples[i]) & 3;
  cv::setRNGSeed(0);  // its clusters start at random
  cv::Mat background, subject;
  cv::grabCut(colours, mask, cv::Rect(), background, subject, rounds, cv::GC_INIT_WITH_MASK);
  cv::Mat result(height, width, CV_32F);
  for (int y = 0; y < height; y++) {
    for (int x = 0; x < width; x++) result.at<float>(y, x) = mask.at<uchar>(y, x) & 1;
  }
  answer(result);
}

void serve() {
  if (readNumber() != magic) throw std::runtime_error("this is run by motion-stream");
  const uint32_t verb = readNumber();
  cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);
  cv::setNumThreads(int(readNumber()));
  switch (verb) {
    case 1: return runNetwork();
    case 2: return runGrabCut();
    default: throw std::runtime_error("this worker is of another version");
  }
}

#else

void serve() { throw std::runtime_error("it was built without the trait Estimation"); }

#endif

void limit(int resource, rlim_t most) {
  struct rlimit limits;
  if (getrlimit(resource, &limits) != 0) return;
  if (limits.rlim_cur != RLIM_INFINITY && limits.rlim_cur < most) return;
  if (limits.rlim_max != RLIM_INFINITY && limits.rlim_max < most) most = limits.rlim_max;
  limits.rlim_cur = most;
  setrlimit(resource, &limits);
}

}  // namespace

int main() {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
#ifndef SANITIZED
  limit(RLIMIT_AS, mostMemory);
#endif
  limit(RLIMIT_CORE, 0);
  try {
    serve();
#ifdef ESTIMATION
  } catch (const cv::Exception &error) {
    answer(reason(error));
#endif
  } catch (const UnknownTensor &error) {
    answer(error.what(), 2);
  } catch (const std::bad_alloc &) {
    answer("it takes too much memory");
  } catch (const std::exception &error) {
    answer(error.what());
  } catch (...) {
    answer("OpenCV fails");
  }
  return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
