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

/** A command of a page, with the output that the page shows. */
export interface ShownCommand {
  readonly code: string
  readonly output: readonly string[]
}

/** Returns the commands of a page in their order: the blocks in `sh`, and each command at a prompt in `console`. */
export const commandsOf = (page: string): readonly ShownCommand[] =>
  tokensOf(page).flatMap((token) => {
    if (token.type !== 'code') return []
    const text = String(token['text'])
    if (token['lang'] === 'sh') return [{ code: text, output: [] }]
    return token['lang'] === 'console' ? text.split(/^\$ /m).slice(1).map(shownCommand) : []
  })

function shownCommand(text: string): ShownCommand {
  const lines = text.split('\n')
  const end = lines.findIndex((line) => !line.endsWith('\\')) + 1
  return { code: lines.slice(0, end).join('\n'), output: lines.slice(end).filter((line) => line !== '') }
}

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
