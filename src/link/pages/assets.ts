import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * File that the pages load. Its path contains a hash of its content, so browsers may cache it indefinitely.
 */
export interface Asset {
  readonly path: string
  readonly type: string
  readonly body: string
}

/** In cascade order: later files override earlier ones. */
const STYLE_SHEETS = [
  'theme',
  'page',
  'progress-indicator',
  'controls',
  'steps',
  'result-pages',
  'user-preferences',
].map((name) => `${name}.css`)

const styles = asset('link.css', 'text/css; charset=utf-8', STYLE_SHEETS)
const script = asset('link.js', 'text/javascript; charset=utf-8', ['link.js'])

export const stylesPath = styles.path
export const scriptPath = script.path

/** All files that the pages load. Each is served at its path below the base URL of the pages. */
export const assets: readonly Asset[] = [styles, script]

function asset(name: string, type: string, files: readonly string[]): Asset {
  const body = files
    .map((file) => readFileSync(join(import.meta.dirname, 'browser', file), 'utf8'))
    .join('\n')
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 12)
  return { path: `/assets/${name.replace('.', `.${hash}.`)}`, type, body }
}
