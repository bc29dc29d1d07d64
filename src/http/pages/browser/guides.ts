import MiniSearch from 'minisearch'
import { SEARCH_OPTIONS } from '../search-options.ts'
import { BASE_URL } from './base-url.ts'
import './guides.css'

/** Search of the guides. It runs in the browser, with an index from the service. */

const input = document.querySelector<HTMLInputElement>('#search')
const results = document.querySelector<HTMLElement>('#results')
const MAX_RESULTS = 12

let index: Promise<MiniSearch> | undefined

const load = async (): Promise<MiniSearch> => {
  const response = await fetch(new URL('docs/search.json', BASE_URL))
  if (!response.ok) throw new Error(`loading the search index failed with status ${response.status}`)
  return MiniSearch.loadJSON(await response.text(), SEARCH_OPTIONS)
}

async function search(): Promise<void> {
  const query = input?.value.trim() ?? ''
  const elements = query === '' ? [] : [await renderResults(query)]
  // The input may have changed while the search ran; a later search may already have finished.
  if (query === (input?.value.trim() ?? '')) results?.replaceChildren(...elements)
}

async function renderResults(query: string): Promise<HTMLElement> {
  try {
    index ??= load()
    const found = (await index).search(query, { prefix: true, fuzzy: 0.15, boost: { title: 4, page: 2 } })
    return found.length > 0 ? renderList(found.slice(0, MAX_RESULTS)) : renderText('Nothing found.')
  } catch {
    // The next search loads the index again.
    index = undefined
    return renderText('The search is not available. Check that the service is running.')
  }
}

function renderList(found: readonly { id: unknown; title?: unknown; page?: unknown }[]): HTMLElement {
  const items = document.createElement('ul')
  for (const { id, title, page } of found) {
    const link = document.createElement('a')
    link.href = BASE_URL.pathname + String(id).slice(1)
    link.textContent = title === page ? String(title) : `${page}: ${title}`
    const item = document.createElement('li')
    item.append(link)
    items.append(item)
  }
  return items
}

function renderText(text: string): HTMLElement {
  const paragraph = document.createElement('p')
  paragraph.textContent = text
  return paragraph
}

input?.addEventListener('input', () => void search())
