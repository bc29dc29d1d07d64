import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fastifyStatic } from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** A page for people. Everything that it loads comes from this server: its policy lets a browser load nothing else. */
export type Page = (reply: FastifyReply) => string

interface Pages {
  /** The IDE of the GraphQL API. */
  readonly graphiql: Page
  /** The REST API's operations, to read and to try. */
  readonly restDocs: Page
  /** A page around the body that it is given, with the style and the search of the guides. */
  readonly guide: (title: string, body: string) => Page
}

const ASSETS = '/assets/'

/** The pages that `bundle.ts` has left in a folder; what they load is served at /assets/. */
export function mountPages(app: FastifyInstance, folder: string): Pages {
  const [version = ''] = readdirSync(folder)
  app.register(fastifyStatic, {
    root: join(folder, version),
    prefix: `${ASSETS}${version}/`,
    decorateReply: false,
    index: false,
    preCompressed: true,
    immutable: true,
    maxAge: '1y',
    setHeaders: (response) => void response.setHeader('x-content-type-options', 'nosniff'),
  })
  const pageOf = (title: string, entry: string, body = '<div id="page"></div>') =>
    page(title, `${ASSETS}${version}/${entry}`, body)
  return {
    graphiql: pageOf('GraphiQL', 'graphiql'),
    restDocs: pageOf('REST API', 'rest-docs'),
    guide: (title, body) => pageOf(title, 'guides', body),
  }
}

/** Scripts run from files alone; the pages set styles at run time, and use images and fonts in data: addresses. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

function page(title: string, files: string, body: string): Page {
  const html = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title} · Odograph</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="${files}.css" />
    <script type="module" src="${files}.js"></script>
  </head>
  <body>
    ${body}
  </body>
</html>
`
  return (reply) => {
    void reply.type('text/html; charset=utf-8').headers({
      'content-security-policy': POLICY,
      'cache-control': 'no-cache',
      vary: 'accept',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
    return html
  }
}
