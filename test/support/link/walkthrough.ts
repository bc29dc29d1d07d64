import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Frame, Page } from 'playwright-core'
import { badColoursIn, type InspectedPage, openInspectedPage, violationsIn } from './page-inspection.ts'
import { finger, type InputDevice, keyboard, mouse } from './input-devices.ts'

/** Folder for screenshots of the walkthroughs; none if unset. */
const SHOTS = process.env['SCREENSHOTS']

const desktop = { viewport: { width: 1280, height: 800 } }
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

interface Person {
  readonly as: BrowserContextOptions
  readonly device: (page: Page) => InputDevice
}

/** Users of a walkthrough: their browser settings and input devices. */
export const people = {
  'on a desktop by keyboard alone': { as: desktop, device: keyboard },
  'on a phone': { as: phone, device: finger },
  'without JavaScript': { as: { ...desktop, javaScriptEnabled: false }, device: mouse },
} as const satisfies Readonly<Record<string, Person>>

export type PersonName = keyof typeof people

/** Observations of a walkthrough, in all its tabs. */
interface Observations {
  pictures: number
  /** Allowed origins in addition to that of the service. */
  readonly origins: Set<string>
  readonly violations: string[]
}

/** A page, or the frame under test in it. */
type Shown = Pick<Page, 'getByRole' | 'getByLabel' | 'evaluate' | 'url'>

/** One user's walk through the link pages. It checks each page for violations and takes a screenshot. */
export class Walk implements AsyncDisposable {
  private shown: Shown
  private readonly device: InputDevice
  private readonly hasScript: boolean

  private constructor(
    private readonly name: string,
    private readonly inspected: InspectedPage,
    private readonly person: Person,
    private readonly observed: Observations = { pictures: 0, origins: new Set(), violations: [] },
  ) {
    this.shown = inspected.page
    this.device = person.device(inspected.page)
    this.hasScript = person.as.javaScriptEnabled !== false
  }

  static async begin(browser: Browser, server: string, person: PersonName, name: string): Promise<Walk> {
    const { as } = people[person]
    return new Walk(`${name} ${person}`, await openInspectedPage(browser, server, as), people[person])
  }

  get page(): Page {
    return this.inspected.page
  }

  /** Continues in a frame of the page. */
  enter(frame: Frame): void {
    this.shown = frame
  }

  /** Returns the same user in another tab. */
  inTab(page: Page): Walk {
    const inspected = { ...this.inspected, page, [Symbol.asyncDispose]: () => page.close() }
    return new Walk(this.name, inspected, this.person, this.observed)
  }

  get complaints(): readonly string[] {
    return this.inspected.complaints
  }

  async showsHeading(heading: string | RegExp): Promise<void> {
    await this.shown.getByRole('heading', { name: heading, level: 1 }).waitFor()
    await this.inspect()
  }

  /** Expects a return to a step that shows this problem. */
  async showsProblem(problem: string): Promise<void> {
    await this.shown.getByRole('alert').getByRole('heading', { name: problem }).waitFor()
    await this.inspect()
  }

  press(name: string): Promise<void> {
    return this.device.press(this.shown.getByRole('button', { name, exact: true }))
  }

  fill(label: string, text: string): Promise<void> {
    return this.device.fill(this.shown.getByLabel(label, { exact: true }), text)
  }

  tick(): Promise<void> {
    return this.device.tick(this.shown.getByRole('checkbox'))
  }

  /** Allows requests to the origin of a URL. */
  allowOrigin(url: string): void {
    this.observed.origins.add(new URL(url).origin)
  }

  /** Returns the problems so far: in the pages, in their requests and in the console. */
  faults(): readonly string[] {
    const foreign = this.inspected
      .foreignRequests()
      .filter((url) => !this.observed.origins.has(new URL(url).origin))
    return [...this.observed.violations, ...foreign, ...this.inspected.complaints]
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.inspected[Symbol.asyncDispose]()
  }

  private async inspect(): Promise<void> {
    this.observed.pictures += 1
    for (const [colorScheme, violations] of [
      ['light', violationsIn],
      ['dark', badColoursIn],
    ] as const) {
      await this.page.emulateMedia({ colorScheme })
      // axe-core runs as a script: a browser without scripts cannot run it.
      if (this.hasScript) this.observed.violations.push(...(await violations(this.shown)))
      await this.picture(colorScheme)
    }
  }

  private async picture(colorScheme: string): Promise<void> {
    if (SHOTS === undefined) return
    mkdirSync(SHOTS, { recursive: true })
    const name = `${this.name} ${String(this.observed.pictures).padStart(2, '0')} ${colorScheme}`
    await this.page.screenshot({ path: join(SHOTS, `${name.replace(/[^\w]+/g, '-')}.png`), fullPage: true })
  }
}
