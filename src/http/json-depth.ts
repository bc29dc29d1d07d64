/** Maximum nesting of objects and lists. Recursive code would exhaust the stack on much deeper values. */
export const MAX_DEPTH = 500

/** Whether JSON is nested deeper than the maximum. Reads the text only, because it runs on every request. */
export function isNestedTooDeeply(json: string): boolean {
  if (json.length <= 2 * MAX_DEPTH) return false
  let depth = 0
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at)
    if (code === QUOTE) at = endOfString(json, at)
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) depth += 1
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth -= 1
    if (depth > MAX_DEPTH) return true
  }
  return false
}

const [QUOTE, OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x22, 0x7b, 0x7d, 0x5b, 0x5d]

/** Returns the index of the closing quote of a string; the length of the text if there is none. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let backslashes = 0
    while (json[end - 1 - backslashes] === '\\') backslashes += 1
    if (backslashes % 2 === 0) return end
  }
  return json.length
}
