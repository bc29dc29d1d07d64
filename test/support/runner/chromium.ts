import { execFileSync } from 'node:child_process'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

const OFFLINE = [
  '--headless',
  '--no-sandbox',
  // Draws WebGL without a graphics card.
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * Global setup: finds Chromium in CHROMIUM or on PATH. Without it, the browser suites are skipped with one
 * line of output, or the run fails if NO_SKIPS is set.
 */
export function setup(): void {
  const program = process.env['CHROMIUM'] || PROGRAMS.find(isOnPath)
  if (program) {
    process.env['CHROMIUM'] = program
    return
  }
  const line =
    '!!! SKIPPED: the suites in a browser. Missing on this machine: Chromium. Install it or set CHROMIUM. !!!'
  if (process.env['NO_SKIPS']) throw new Error(line)
  process.stderr.write(`\n${line}\n\n`)
}

export const hasChromium = (): boolean => Boolean(process.env['CHROMIUM'])

export const launch = (): Promise<Browser> =>
  chromium.launch({ executablePath: pathOf(process.env['CHROMIUM'] ?? ''), args: OFFLINE })

const PATIENCE_MS = 60_000

/** A page with a record of its network requests and errors. */
export interface WatchedPage {
  readonly page: Page
  /** URLs of its requests and websockets. */
  readonly requested: string[]
  /** Uncaught errors, and errors and warnings of its console. */
  readonly problems: string[]
}

export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 }, ...options })
  const requested: string[] = []
  const problems: string[] = []
  // Listens to the whole context, because workers send requests of their own.
  page.context().on('request', (request) => void requested.push(request.url()))
  page.on('websocket', (socket) => void requested.push(socket.url()))
  page.on('pageerror', (error) => void problems.push(String(error)))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text())
  })
  page.setDefaultTimeout(PATIENCE_MS)
  await page.goto(url)
  return { page, requested, problems }
}

/** Returns the URLs whose host is not that of `url`. URLs like `data:` and `blob:` cause no request. */
export const foreignUrls = (requested: readonly string[], url: string): readonly string[] =>
  requested.filter(
    (address) => /^(https?|wss?):/.test(address) && new URL(address).host !== new URL(url).host,
  )

const isOnPath = (program: string): boolean => {
  try {
    return pathOf(program) !== ''
  } catch {
    return false
  }
}

const pathOf = (program: string): string =>
  execFileSync('sh', ['-c', 'command -v "$0"', program], { encoding: 'utf8' }).trim()
