import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fastifyStatic, type FastifyStaticOptions } from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { varyByEncoding } from '../compression.ts'

/** Responds with an HTML page. The content security policy of the page permits files of this server only. */
export type PageHandler = (reply: FastifyReply) => string

interface Pages {
  /** GraphiQL, the IDE of the GraphQL API. */
  readonly graphiql: PageHandler
  /** Swagger UI of the REST API. */
  readonly restDocs: PageHandler
  /** Creates a page around a body, with the style and the search of the guides. */
  readonly guide: (title: string, body: string) => PageHandler
}

const ASSETS = '/assets/'

/**
 * Creates the pages whose browser code `bundle.ts` wrote to a folder. Serves that code at /assets/. `basePath`
 * is the path of the public URL, which a proxy removes; links start with it.
 */
export function mountPages(app: FastifyInstance, folder: string, basePath: string): Pages {
  // The build leaves one folder there, with the version as its name.
  const [version = ''] = readdirSync(folder)
  serveFiles(app, {
    root: join(folder, version),
    prefix: `${ASSETS}${version}/`,
    immutable: true,
    maxAge: '1y',
  })
  const pageOf = (title: string, entry: string, body = '<div id="page"></div>') =>
    pageWith(withBasePath(basePath, documentOf(title, `${ASSETS}${version}/${entry}`, body)))
  return {
    graphiql: pageOf('GraphiQL', 'graphiql'),
    restDocs: pageOf('REST API', 'rest-docs'),
    guide: (title, body) => pageOf(title, 'guides', body),
  }
}

/** Serves the files of a folder, and their gzip copies to clients that accept them. */
export function serveFiles(app: FastifyInstance, options: FastifyStaticOptions): void {
  app.register(async (files) => {
    files.addHook('onSend', async (_request, reply) => varyByEncoding(reply))
    await files.register(fastifyStatic, {
      ...options,
      decorateReply: false,
      index: false,
      preCompressed: true,
    })
  })
}

/**
 * Content security policy. Scripts must be files of this server. Inline styles, and images and fonts in `data:` URLs
 * are allowed.
 */
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

const documentOf = (title: string, files: string, body: string): string => `<!doctype html>
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

const withBasePath = (basePath: string, html: string): string =>
  html.replaceAll(/ (href|src)="\//g, (_link, attribute) => ` ${attribute}="${basePath}/`)

const pageWith =
  (html: string): PageHandler =>
  (reply) => {
    reply.isCompressible = true
    void reply.type('text/html; charset=utf-8').headers({
      'content-security-policy': POLICY,
      'cache-control': 'no-cache',
      vary: 'accept',
      'referrer-policy': 'no-referrer',
    })
    return html
  }
