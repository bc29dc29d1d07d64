import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { Marked, type Token, type Tokens } from 'marked'
import { getHeadingList, gfmHeadingId } from 'marked-gfm-heading-id'
import MiniSearch from 'minisearch'
import type { Guide } from './guides.ts'
import { writeCompressedCopies } from './compressed-copies.ts'
import { SEARCH_OPTIONS } from './search-options.ts'

/**
 * Build step of `npm run build`: renders the README and docs/ into dist/guides, with a search index. Links to
 * other files of the repository lead to copies in dist/guides/files.
 */

const root = resolve(import.meta.dirname, '../../../..')
const docs = join(root, 'docs')
const folder = join(root, 'dist/guides')

/** Entry of the search index: a heading and the text up to the next one. */
interface Section {
  readonly id: string
  readonly page: string
  readonly title: string
  readonly text: string
}

const readme = join(root, 'README.md')
/** Page names under `/docs/`, by file. */
const names = new Map([
  [readme, 'start'],
  ...readdirSync(docs)
    .filter((file) => file.endsWith('.md'))
    .map((file): [string, string] => [
      join(docs, file),
      file === 'README.md' ? '' : file.replace(/\.md$/, ''),
    ]),
])

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
cpSync(join(docs, 'images'), join(folder, 'images'), { recursive: true })
const index = new MiniSearch<Section>(SEARCH_OPTIONS)
const guides = [...names].map(([file, name]) => render(file, name))
writeFileSync(join(folder, 'guides.json'), JSON.stringify(guides))
writeFileSync(join(folder, 'search.json'), JSON.stringify(index))
writeCompressedCopies(folder)

/** Renders a page, and adds its sections to the search index. */
function render(file: string, name: string): Guide {
  const marked = new Marked(gfmHeadingId(), {
    renderer: {
      // Tables and code blocks may be wider than a phone screen, so each scrolls on its own.
      table(token: Tokens.Table) {
        const cells = (row: Tokens.TableCell[], tag: string) =>
          row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')
        const body = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('')
        const table = `<table><thead><tr>${cells(token.header, 'th')}</tr></thead><tbody>${body}</tbody></table>`
        return `<div class="wide" tabindex="0" role="group" aria-label="Table">${table}</div>\n`
      },
      code({ text }: Tokens.Code) {
        return `<pre tabindex="0"><code>${escapeHtml(text)}\n</code></pre>\n`
      },
      link({ href, tokens }: Tokens.Link) {
        const url = urlOfLink(file, href)
        const text = this.parser.parseInline(tokens)
        return url === null ? text : `<a href="${escapeHtml(url)}">${text}</a>`
      },
      image({ href, text }: Tokens.Image) {
        const path = relative(docs, resolve(dirname(file), href))
        return `<img src="/docs/${escapeHtml(path)}" alt="${escapeHtml(text)}" />`
      },
    },
  })
  const text = readFileSync(file, 'utf8')
  const html = marked.parse(text) as string
  const headings = getHeadingList()
  const title = file === readme ? 'Quick start' : (headings[0]?.raw ?? name)
  for (const [position, body] of sectionTexts(marked.lexer(text)).entries()) {
    const { id = '', raw = '' } = headings[position] ?? {}
    index.add({ id: `/docs/${name}#${id}`, page: title, title: raw, text: body })
  }
  return { name, title, html }
}

/** Returns the text under each heading. */
function sectionTexts(tokens: readonly Token[]): string[] {
  const texts: string[] = []
  for (const { type, raw } of tokens) {
    if (type === 'heading') texts.push('')
    else if (texts.length > 0) texts[texts.length - 1] += raw
  }
  return texts
}

/**
 * Returns the URL of a link among the rendered pages. Copies the target if it is another file of the
 * repository. Null if the target is a folder, or a file that the Docker image is built without.
 */
function urlOfLink(file: string, href: string): string | null {
  if (/^(?:[a-z]+:|#)/.test(href)) return href
  const [path = '', anchor] = href.split('#')
  const target = resolve(dirname(file), path)
  const name = names.get(target)
  if (name !== undefined) return `/docs/${name}${anchor === undefined ? '' : `#${anchor}`}`
  if (!statSync(target, { throwIfNoEntry: false })?.isFile()) return null
  const copy = `${relative(root, target)}.txt`
  cpSync(target, join(folder, 'files', copy))
  return `/docs/files/${copy}`
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
