import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { type PageHandler, serveFiles } from './pages.ts'

/** Guide that `render-guides.ts` rendered from docs/ or the README. The index page has an empty name. */
export interface Guide {
  readonly name: string
  readonly title: string
  readonly html: string
}

interface GuideOptions {
  /** Output folder of `render-guides.ts`. */
  readonly folder: string
  /** Creates a page with a title around a body. */
  readonly guide: (title: string, body: string) => PageHandler
  /** Whether /graphql shows GraphiQL to browsers. */
  readonly hasGraphiql: boolean
}

/** Names of the guides by group, in the order of the navigation. */
export const GUIDE_GROUPS: Readonly<Record<string, readonly string[]>> = {
  'Use the API': [
    'start',
    'graphql',
    'graphql-changes',
    'rest',
    'events',
    'webhooks',
    'dashboard',
    'browsers',
    'sdk',
    'passthrough',
    'limits',
    'trusted-documents',
    'purchases',
    'purchase-roll-out',
    'ifta',
  ],
  'Link fleets': ['linking', 'providers'],
  'Operate it': ['operations', 'configuration', 'security'],
  'Work on it': ['contributing', 'architecture', 'proofs'],
}

/** Mounts the start page at `/` and the guides at `/docs`, with their images, files and search index. */
export function mountGuides(app: FastifyInstance, { folder, guide, hasGraphiql }: GuideOptions): void {
  const guides = JSON.parse(readFileSync(join(folder, 'guides.json'), 'utf8')) as readonly Guide[]
  const titles = new Map(guides.map(({ name, title }) => [name, title]))
  const start = guide('Start', frame(startPage(hasGraphiql)))
  app.get('/', (_request, reply) => start(reply))
  for (const { name, title, html } of guides) {
    const page = guide(
      title,
      frame(`<div class="columns">${navigation(name, titles)}<main id="main">${html}</main></div>`),
    )
    app.get(`/docs/${name}`, (_request, reply) => page(reply))
  }
  serveFiles(app, {
    root: folder,
    prefix: '/docs/',
    allowedPath: (path) => path === '/search.json' || /^\/(?:images|files)\//.test(path),
  })
}

/** Adds the skip link and the header with the search to the content of a page. */
const frame = (content: string): string => `<a class="skip" href="#main">Skip to the content</a>
    <header>
      <a class="home" href="/">Odograph</a>
      <a href="/docs">Guides</a>
      <div class="search" role="search">
        <input id="search" type="search" placeholder="Search the guides" aria-label="Search the guides" autocomplete="off" />
        <div id="results" aria-live="polite"></div>
      </div>
    </header>
    ${content}`

function navigation(current: string, titles: ReadonlyMap<string, string>): string {
  const groups = Object.entries(GUIDE_GROUPS).map(([group, names]) => {
    const items = names.map((name) => {
      const here = name === current ? ' aria-current="page"' : ''
      return `<li><a href="/docs/${name}"${here}>${titles.get(name)}</a></li>`
    })
    return `<h2>${group}</h2><ul>${items.join('')}</ul>`
  })
  return `<nav aria-label="Guides">${groups.join('')}</nav>`
}

const startPage = (hasGraphiql: boolean): string => `<div class="columns start"><main id="main">
      <h1>Odograph</h1>
      <p>One normalized API over the data of many telematics providers. This service is running.</p>
      <img src="/docs/images/overview.svg" alt="Adapters sync the data of telematics providers into one database. The gateway serves GraphQL, REST and subscriptions; the event log feeds subscriptions and webhooks." width="1100" height="320" />
      <ul class="cards">
        ${card('/dashboard', 'Dashboard', 'Vehicles on a map, live, and the days behind them.')}
        ${hasGraphiql ? card('/graphql', 'GraphiQL', 'Explore the graph, and run queries and subscriptions.') : ''}
        ${card('/tsp/v1/docs', 'REST', 'Browse and try the operations of /tsp/v1.')}
        ${card('/docs', 'Guides', 'How to query, follow events, link fleets, and operate the service.')}
        ${card('/docs/start', 'Quick start', 'A first query, REST call, subscription and webhook.')}
        ${card('/docs/linking', 'Link a fleet', 'How a fleet connects its provider account on the link pages.')}
        ${card('/readyz', 'Health', 'Readiness checks of the service and their results.')}
      </ul>
    </main></div>`

const card = (href: string, title: string, text: string): string =>
  `<li><a href="${href}">${title}</a><p>${text}</p></li>`
