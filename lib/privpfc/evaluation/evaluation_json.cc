#include "privpfc/base/printed_json.h"
#include "privpfc/evaluation/evaluation_report.h"
#include "privpfc/evaluation/report_json.h"
#include "privpfc/evaluation/report_words.h"

namespace privpfc {
namespace {

Json metrics_json(const Release& release, const MeasuredClassifier& one, const char* trained_on) {
  const Metrics& metrics = one.metrics;
  Json recalls = Json::object();
  for (std::size_t c = 0; c < metrics.recalls.size(); ++c) {
    recalls[release.schema.label.classes[c]] =
        metrics.recalls[c] ? Json(*metrics.recalls[c]) : Json(nullptr);
  }
  Json reliability = Json::array();
  for (std::size_t i = 0; i < kReliabilityBins; ++i) {
    const ReliabilityBin& bin = metrics.reliability[i];
    if (!(bin.rows > 0)) continue;
    reliability.push_back({{"from", static_cast<double>(i) / kReliabilityBins},
                           {"to", static_cast<double>(i + 1) / kReliabilityBins},
                           {"rows", bin.rows},
                           {"confidence", bin.confidence},
                           {"accuracy", bin.accuracy}});
  }
  return {{"classifier", one.name},
          {"trained_on", trained_on},
          {"error", share_json(metrics.error, metrics.interval)},
          {"balanced_error", metrics.balanced_error},
          {"recall", std::move(recalls)},
          {"auc", metrics.auc ? Json(*metrics.auc) : Json(nullptr)},
          {"brier", metrics.brier},
          {"expected_calibration_error", metrics.calibration_error},
          {"reliability", std::move(reliability)},
          {"note", one.note}};
}

}  // namespace

std::string evaluation_json(const Release& release, const Diagnostic<Evaluation>& diagnostic) {
  const Evaluation& evaluation = diagnostic.value();
  Json results = Json::array();
  for (const MeasuredClassifier& one : evaluation.on_release) {
    results.push_back(metrics_json(release, one, "release"));
  }
  results.push_back(metrics_json(release, evaluation.majority, "release"));
  for (const MeasuredClassifier& one : evaluation.noise_free) {
    results.push_back(metrics_json(release, one, "real rows"));
  }
  Json attributes = Json::array();
  for (const AttributeFidelity& one : evaluation.fidelity.attributes) {
    attributes.push_back({{"attribute", one.attribute},
                          {"groups", one.groups},
                          {"alone", one.alone},
                          {"with_label", one.with_label}});
  }
  Json rows = Json::object();
  for (std::size_t c = 0; c < evaluation.class_rows.size(); ++c) {
    rows[release.schema.label.classes[c]] = evaluation.class_rows[c];
  }
  return printed_json(
      Json{{"format", "privpfc evaluation"},
           {"may_be_published", false},
           {"notice", std::string(kInternalHeading) + ". " + std::string(kInternalNotice)},
           {"release", release_json(release)},
           {"interval", "Wilson, 95 %"},
           {"auc", "mean over the classes, each against the rest"},
           {"test_rows", std::move(rows)},
           {"results", std::move(results)},
           {"fidelity",
            {{"measure", "total variation distance"},
             {"against", evaluation.fidelity_on_training_rows ? "training rows" : "test rows"},
             {"label", evaluation.fidelity.label},
             {"attributes", std::move(attributes)}}}});
}

}  // namespace privpfc
