import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A page of the documentation, by its path from the root. */
export interface Page {
  readonly path: string
  readonly text: string
}

export interface CodeBlock {
  readonly page: string
  readonly language: string
  readonly code: string
}

export function pages(): readonly Page[] {
  const paths = [
    ...readdirSync('.').filter((name) => name.endsWith('.md')),
    ...readdirSync('docs')
      .filter((name) => name.endsWith('.md'))
      .map((name) => join('docs', name)),
  ]
  return paths.map((path) => ({ path, text: readFileSync(path, 'utf8') }))
}

const FENCED = /^```(\w*)\n([^]*?)^```$/gm

/** The code blocks of all pages in a language. */
export const codeBlocks = (language: string): readonly CodeBlock[] =>
  pages().flatMap(({ path, text }) =>
    [...text.matchAll(FENCED)]
      .filter(([, named]) => named === language)
      .map(([, , code = '']) => ({ page: path, language, code })),
  )

/** A page without its code. */
export const proseOf = (page: Page): string => page.text.replace(FENCED, '')
