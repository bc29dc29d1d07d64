import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lexer, Marked, type Token, walkTokens } from 'marked'
import { getHeadingList, gfmHeadingId } from 'marked-gfm-heading-id'

/** Returns the pages of the documentation, by their path from the root. */
export const pages = (): readonly string[] => [
  ...readdirSync('.').filter((name) => name.endsWith('.md')),
  ...readdirSync('docs')
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
]

/** Returns the code blocks of all pages in a language, each with its page. */
export const codeBlocks = (language: string): readonly (readonly [page: string, code: string])[] =>
  pages().flatMap((page) =>
    tokensOf(page).flatMap((token) =>
      token.type === 'code' && token['lang'] === language ? [[page, String(token['text'])] as const] : [],
    ),
  )

/** Returns the targets of the links and images of a page. */
export const linksOf = (page: string): readonly string[] =>
  tokensOf(page).flatMap((token) =>
    token.type === 'link' || token.type === 'image' ? [String(token['href'])] : [],
  )

/** Returns the heading anchors of a page. */
export function anchorsOf(page: string): readonly string[] {
  new Marked(gfmHeadingId()).parse(readFileSync(page, 'utf8'))
  return getHeadingList().map(({ id }) => id)
}

function tokensOf(page: string): Token[] {
  const tokens: Token[] = []
  walkTokens(lexer(readFileSync(page, 'utf8')), (token) => void tokens.push(token))
  return tokens
}
