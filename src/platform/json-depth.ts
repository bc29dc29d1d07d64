/** Whether the objects and lists of a JSON text are nested deeper than `levels`. Does not parse the text. */
export function isNestedDeeper(json: string, levels: number): boolean {
  // Each level takes two characters of valid JSON.
  if (json.length <= 2 * levels) return false
  let depth = 0
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at)
    if (code === QUOTE) at = endOfString(json, at)
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) depth += 1
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth -= 1
    if (depth > levels) return true
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
