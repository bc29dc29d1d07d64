import type { FastifyInstance } from 'fastify'

/** A page as a browser without scripts shows it. */
export interface Page {
  readonly url: URL
  readonly status: number
  readonly headers: Headers
  readonly html: string
}

/** A form with its current values. */
export interface Form {
  readonly method: string
  /** HTML attribute `action`. */
  readonly actionUrl: string
  readonly fields: ReadonlyMap<string, string>
  /** Names of all fields, including those to fill in. */
  readonly names: readonly string[]
  /** Action of the link page: the value of the hidden field `do`. */
  readonly action: string
}

type Sent = Readonly<Record<string, string>>

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Transport of requests to a server. It does not follow redirects. */
export type Wire = (method: 'GET' | 'POST', url: URL, headers: Sent, body: string | null) => Promise<Answer>

/** Sends every request to a server of this process, whatever the host. */
export const inProcess =
  (app: FastifyInstance): Wire =>
  async (method, url, headers, body) => {
    const payload = body === null ? {} : { payload: body }
    const answer = await app.inject({
      method,
      url: url.pathname + url.search,
      headers: { host: url.host, ...headers },
      ...payload,
    })
    const reported = Object.entries(answer.headers).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, String(one)]),
    )
    return { status: answer.statusCode, headers: new Headers(reported), text: answer.body }
  }

/** Sends requests over the network. */
export const overHttp: Wire = async (method, url, headers, body) => {
  const answer = await fetch(url, { method, headers, redirect: 'manual', ...(body === null ? {} : { body }) })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

interface Cookie {
  readonly value: string
  readonly path: string
}

/** Browses the pages of a server: keeps cookies, follows redirects and submits the forms of a page. */
export class Browser {
  private readonly cookies = new Map<string, Cookie>()
  private shown: Page | null = null
  /** URL of the last redirect to another server. The browser does not follow it. */
  externalRedirect: URL | null = null

  constructor(
    private readonly wire: Wire,
    private readonly headers: Sent = {},
    private readonly hosts: readonly string[] = ['odograph.example.com'],
  ) {}

  get page(): Page {
    if (!this.shown) throw new Error('no page is open')
    return this.shown
  }

  /** Returns the current step of the flow, derived from the forms of the page. */
  get step(): string {
    const { status, html } = this.page
    if (status >= 400) return 'refused'
    const actions = new Set(this.forms().map(({ action }) => action))
    if (actions.has('sign_in') || actions.has('oauth')) return 'sign_in'
    if (actions.has('choose')) return 'choose'
    if (actions.has('agree')) return 'consent'
    if (actions.has('request')) return 'request'
    if (html.includes('data-step="requested"')) return 'requested'
    if (html.includes('data-state="checking"')) return 'checking'
    if (html.includes('data-message="SUCCESS"')) return 'done'
    return html.includes('data-message="EXIT"') ? 'cancelled' : 'return'
  }

  open(address: string, headers: Sent = {}): Promise<Page> {
    const url = new URL(address, this.shown?.url ?? `http://${this.hosts[0]}`)
    return this.ask('GET', url, null, headers)
  }

  reload(): Promise<Page> {
    return this.open(this.page.url.href)
  }

  /** Fills in and submits the form of an action. Accepts only fields that the page has. */
  submit(action: string, typed: Sent = {}, headers: Sent = {}): Promise<Page> {
    const form = this.forms().find((one) => one.action === action && hasFields(one, typed))
    if (!form)
      throw new Error(`the page has no form with action ${action} and these fields:\n${this.page.html}`)
    const body = new URLSearchParams([...new Map([...form.fields, ...Object.entries(typed)])])
    const url = new URL(form.actionUrl, this.page.url)
    const origin = this.page.url.origin
    return this.ask('POST', url, body.toString(), { origin, 'sec-fetch-site': 'same-origin', ...headers })
  }

  /** Posts fields to the URL of the page, even if the page has no such form. */
  send(fields: Sent): Promise<Page> {
    const { url } = this.page
    const headers = { origin: url.origin, 'sec-fetch-site': 'same-origin' }
    return this.ask('POST', url, new URLSearchParams(fields).toString(), headers)
  }

  forms(): Form[] {
    return [...this.page.html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)].map(([, own = '', inside = '']) => {
      const { method = 'get', action: actionUrl = '' } = attributesIn(own)
      const inputs = [...inside.matchAll(/<(?:input|button)\b([^>]*)>/gs)].map(([, text = '']) =>
        attributesIn(text),
      )
      const named = inputs.filter(({ name }) => name)
      const sent = named.filter(({ type, checked }) => type !== 'checkbox' || checked !== undefined)
      const fields = new Map(sent.map(({ name = '', value = '' }) => [name, value]))
      const names = named.map(({ name = '' }) => name)
      return { method, actionUrl, fields, names, action: fields.get('do') ?? '' }
    })
  }

  /** Returns another window of the same browser, outside a frame. */
  anotherWindow(): Browser {
    const other = new Browser(this.wire, {}, this.hosts)
    for (const [name, cookie] of this.cookies) other.cookies.set(name, cookie)
    return other
  }

  /** Returns a browser with forged cookies of the same names. */
  forger(): Browser {
    const other = this.anotherWindow()
    for (const [name, { path, value }] of other.cookies)
      other.cookies.set(name, { path, value: value.replace(/^\w+/, '0'.repeat(32)) })
    return other
  }

  cookieNames(): string[] {
    return [...this.cookies.keys()]
  }

  private async ask(method: 'GET' | 'POST', url: URL, payload: string | null, headers: Sent): Promise<Page> {
    const cookie = this.cookiesFor(url)
    const answer = await this.wire(
      method,
      url,
      {
        'user-agent': 'a browser of a test',
        ...(payload === null ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        ...(cookie === '' ? {} : { cookie }),
        ...this.headers,
        ...headers,
      },
      payload,
    )
    for (const cookie of answer.headers.getSetCookie()) this.keep(cookie)
    if (answer.status === 303) {
      const next = new URL(answer.headers.get('location') ?? '', url)
      if (this.hosts.includes(next.host)) return this.ask('GET', next, null, {})
      this.externalRedirect = next
    }
    this.shown = { url, status: answer.status, headers: answer.headers, html: answer.text }
    return this.shown
  }

  private keep(cookie: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
    const path = /; path=([^;]+)/i.exec(cookie)?.[1] ?? '/'
    if (/; max-age=0(?:;|$)/i.test(cookie)) this.cookies.delete(name)
    else this.cookies.set(name, { value, path })
  }

  private cookiesFor({ pathname }: URL): string {
    return [...this.cookies]
      .filter(([, { path }]) => pathname.startsWith(path))
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ')
  }
}

const hasFields = ({ names }: Form, typed: Sent): boolean =>
  Object.keys(typed).every((name) => names.includes(name))

const attributesIn = (text: string): Sent =>
  Object.fromEntries(
    [...text.matchAll(/([\w-]+)(?:="([^"]*)")?/g)].map(([, name = '', value = '']) => [name, plain(value)]),
  )

const plain = (text: string): string =>
  text
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
