import MiniSearch from 'minisearch'
import { SEARCH_OPTIONS } from '../search-options.ts'
import './guides.css'

/** Searches the guides in the browser; the index comes from the service. */

const box = document.querySelector<HTMLInputElement>('#search')
const results = document.querySelector<HTMLElement>('#results')
const MOST = 12

let index: Promise<MiniSearch> | undefined

const load = async (): Promise<MiniSearch> => {
  const response = await fetch('/docs/search.json')
  return MiniSearch.loadJSON(await response.text(), SEARCH_OPTIONS)
}

async function search(): Promise<void> {
  const words = box?.value.trim() ?? ''
  if (!results) return
  if (words === '') return results.replaceChildren()
  index ??= load()
  const found = (await index).search(words, { prefix: true, fuzzy: 0.15, boost: { title: 4, page: 2 } })
  if (words !== box?.value.trim()) return
  results.replaceChildren(...(found.length > 0 ? [list(found.slice(0, MOST))] : [text('Nothing found.')]))
}

function list(found: readonly { id: unknown; title?: unknown; page?: unknown }[]): HTMLElement {
  const items = document.createElement('ul')
  for (const { id, title, page } of found) {
    const link = document.createElement('a')
    link.href = String(id)
    link.textContent = title === page ? String(title) : `${page}: ${title}`
    const item = document.createElement('li')
    item.append(link)
    items.append(item)
  }
  return items
}

function text(words: string): HTMLElement {
  const line = document.createElement('p')
  line.textContent = words
  return line
}

box?.addEventListener('input', () => void search())
