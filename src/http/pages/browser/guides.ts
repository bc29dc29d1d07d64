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
  if (!response.ok) throw new Error(`the search index was answered with ${response.status}`)
  return MiniSearch.loadJSON(await response.text(), SEARCH_OPTIONS)
}

async function search(): Promise<void> {
  const words = box?.value.trim() ?? ''
  const answer = words === '' ? [] : [await answerTo(words)]
  // A later search may have been answered first.
  if (words === (box?.value.trim() ?? '')) results?.replaceChildren(...answer)
}

async function answerTo(words: string): Promise<HTMLElement> {
  try {
    index ??= load()
    const found = (await index).search(words, { prefix: true, fuzzy: 0.15, boost: { title: 4, page: 2 } })
    return found.length > 0 ? list(found.slice(0, MOST)) : text('Nothing found.')
  } catch {
    // The next search loads it again.
    index = undefined
    return text('The search is not available. Is the service running?')
  }
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
