// One line of docs/outcomes.md, from the attempt as the API shows it.
const HEAD = "| the receiver | status | `error_code` | stored of the body | next |\n| --- | --- | --- | --- | --- |\n";

/** The table of these lines. */
export const table = (lines) => HEAD + lines.map((line) => `${line}\n`).join("");

export function line(each, attempt, endpoint) {
  const status = attempt.response_status_code ?? "–";
  const error = attempt.error_code ? `\`${attempt.error_code}\`` : "–";
  return `| ${each.name} | ${status} | ${error} | ${stored(attempt)} | ${next(each, attempt, endpoint)} |`;
}

function stored(attempt) {
  if (attempt.response_body === null) return "–";
  return attempt.response_body_truncated ? "the first part, marked" : "all";
}

function next(each, attempt, endpoint) {
  if (attempt.status === "delivered") return "delivered";
  if (attempt.status === "dead_lettered") return endpoint.enabled ? "dead letter at once" : "dead letter at once, the endpoint is disabled";
  const at = new Date(attempt.next_attempt_at);
  if (each.at && at.getTime() === each.at.getTime()) return "again at that time";
  return `again after ${(at - new Date(attempt.responded_at)) / 1000} s`;
}

/** The line of the page for a case that can't be played here. */
export const lineOf = (page, each) => page.split("\n").find((line) => line.startsWith(`| ${each.name} | `));

/** The page with another table in place of its own. */
export function withTable(page, lines) {
  const [before] = page.split(HEAD);
  return before + table(lines);
}
