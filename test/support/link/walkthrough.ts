import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Frame, Page } from 'playwright-core'
import { badColoursIn, type Look, look, violationsIn } from './page-inspection.ts'
import { finger, type Hands, keyboard, mouse } from './input-devices.ts'

/** Where a person wants to see the pages of the walks: a folder. */
const SHOTS = process.env['SCREENSHOTS']

const desktop = { viewport: { width: 1280, height: 800 } }
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

interface Person {
  readonly as: BrowserContextOptions
  readonly hands: (page: Page) => Hands
}

/** Who walks: what they have before them, and what they work it with. */
export const people = {
  'on a desktop by keyboard alone': { as: desktop, hands: keyboard },
  'on a phone': { as: phone, hands: finger },
  'without JavaScript': { as: { ...desktop, javaScriptEnabled: false }, hands: mouse },
} as const satisfies Readonly<Record<string, Person>>

export type PersonName = keyof typeof people

/** What was met on the way, in whatever tab. */
interface Met {
  pictures: number
  /** Beside that of the service, where the way led past. */
  readonly origins: Set<string>
  readonly violations: string[]
}

/** A page, or the frame in it that is walked through. */
type Shown = Pick<Page, 'getByRole' | 'getByLabel' | 'evaluate' | 'url'>

/** One person on the way through the pages. Each page that is met is looked over, and kept as a picture. */
export class Walk implements AsyncDisposable {
  private shown: Shown
  private readonly hands: Hands
  private readonly hasScript: boolean

  private constructor(
    private readonly name: string,
    private readonly seen: Look,
    private readonly person: Person,
    private readonly met: Met = { pictures: 0, origins: new Set(), violations: [] },
  ) {
    this.shown = seen.page
    this.hands = person.hands(seen.page)
    this.hasScript = person.as.javaScriptEnabled !== false
  }

  static async begin(browser: Browser, server: string, person: PersonName, name: string): Promise<Walk> {
    const { as } = people[person]
    return new Walk(`${name} ${person}`, await look(browser, server, as), people[person])
  }

  get page(): Page {
    return this.seen.page
  }

  /** Goes on in a frame of the page. */
  enter(frame: Frame): void {
    this.shown = frame
  }

  /** The same person in another tab. */
  inTab(page: Page): Walk {
    const seen = { ...this.seen, page, [Symbol.asyncDispose]: () => page.close() }
    return new Walk(this.name, seen, this.person, this.met)
  }

  get complaints(): readonly string[] {
    return this.seen.complaints
  }

  async meets(heading: string | RegExp): Promise<void> {
    await this.shown.getByRole('heading', { name: heading, level: 1 }).waitFor()
    await this.lookOver()
  }

  /** Comes back to a step that says what went wrong. */
  async hears(problem: string): Promise<void> {
    await this.shown.getByRole('alert').getByRole('heading', { name: problem }).waitFor()
    await this.lookOver()
  }

  press(name: string): Promise<void> {
    return this.hands.press(this.shown.getByRole('button', { name, exact: true }))
  }

  fill(label: string, text: string): Promise<void> {
    return this.hands.fill(this.shown.getByLabel(label, { exact: true }), text)
  }

  tick(): Promise<void> {
    return this.hands.tick(this.shown.getByRole('checkbox'))
  }

  /** Comes by another origin, where that is meant to be. */
  passes(url: string): void {
    this.met.origins.add(new URL(url).origin)
  }

  /** What there is to find fault with on the way so far: in the pages, in what they ask for, in the console. */
  faults(): readonly string[] {
    const elsewhere = this.seen.elsewhere().filter((url) => !this.met.origins.has(new URL(url).origin))
    return [...this.met.violations, ...elsewhere, ...this.seen.complaints]
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.seen[Symbol.asyncDispose]()
  }

  private async lookOver(): Promise<void> {
    this.met.pictures += 1
    for (const [colorScheme, violations] of [
      ['light', violationsIn],
      ['dark', badColoursIn],
    ] as const) {
      await this.page.emulateMedia({ colorScheme })
      // What looks is a script.
      if (this.hasScript) this.met.violations.push(...(await violations(this.shown)))
      await this.picture(colorScheme)
    }
  }

  private async picture(colorScheme: string): Promise<void> {
    if (SHOTS === undefined) return
    mkdirSync(SHOTS, { recursive: true })
    const name = `${this.name} ${String(this.met.pictures).padStart(2, '0')} ${colorScheme}`
    await this.page.screenshot({ path: join(SHOTS, `${name.replace(/[^\w]+/g, '-')}.png`), fullPage: true })
  }
}
