#include "privpfc/evaluation/page.h"

#include <doctest/doctest.h>

#include "evaluation/real_table.h"
#include "privpfc/evaluation/evaluation_report.h"
#include "privpfc/evaluation/html.h"
#include "privpfc/evaluation/interval_plot.h"

using namespace privpfc;

TEST_CASE("whatever a schema is called, it is text on the page") {
  CHECK(escape_html("<a href=\"x\">&'\x01</a>") ==
        "&lt;a href=&quot;x&quot;&gt;&amp;&#39;&lt;/a&gt;");
  std::mt19937 random(1);
  const RealTable test(random_lines(random, 60));
  const MadeRelease made;
  Learned learned = learn(made);
  const std::string nasty = "\"><script>alert('x')</script>";
  learned.release.manifest.name = nasty;
  learned.release.manifest.tool_version = nasty;
  for (std::string& name : learned.release.schema.label.classes) name += nasty;
  for (Attribute& attribute : learned.release.schema.attributes) attribute.name += nasty;
  const auto measured = evaluate_release(learned.release, learned.spaces, learned.models,
                                         {test.source(), std::nullopt, {}}, 1, [](auto) {});
  REQUIRE(measured.ok());
  Evaluation evaluation = measured->value();
  for (MeasuredClassifier& one : evaluation.on_release) one.note = nasty;
  for (AttributeFidelity& one : evaluation.fidelity.attributes) one.attribute = nasty;
  const std::string page =
      evaluation_page(learned.release, Diagnostic<Evaluation>(std::move(evaluation)));
  CHECK(page.find("<script") == std::string::npos);
  CHECK(page.find("&lt;script&gt;") != std::string::npos);
  // Nothing is fetched.
  for (const char* sign : {"http:", "https:", "src=", "url(", "@import", "<link rel=\"style"}) {
    CHECK(page.find(sign) == std::string::npos);
  }
}

TEST_CASE("a plot holds every mark within its width, and says in words what it shows") {
  IntervalPlot plot;
  plot.id = "p";
  plot.title = "T <";
  plot.description = "D";
  plot.reference = 0.5;
  plot.lanes.push_back({"one & two", {0.2, {0.1, 0.3}}, IntervalPlot::Mark{0, {0, 1}}});
  const std::string svg = render_interval_plot(plot);
  CHECK(svg.find("<title id=\"p-title\">T &lt;</title>") != std::string::npos);
  CHECK(svg.find("one &amp; two") != std::string::npos);
  CHECK(svg.find("aria-labelledby=\"p-title p-desc\"") != std::string::npos);
  std::size_t marks = 0;
  for (std::size_t at = svg.find("cx=\""); at != std::string::npos;
       at = svg.find("cx=\"", at + 1)) {
    const double x = std::stod(svg.substr(at + 4));
    CHECK(x >= 0);
    CHECK(x <= 100);
    ++marks;
  }
  CHECK(marks == 2);
}

TEST_CASE("numbers as people read them") {
  CHECK(percent(0.2791) == "27.9 %");
  CHECK(percent_range(0.271, 0.29) == "27.1 to 29.0 %");
  CHECK(whole(1234567) == "1,234,567");
  CHECK(whole(999) == "999");
  CHECK(whole(-1000) == "-1,000");
  CHECK(whole(-0.2) == "0");
}
