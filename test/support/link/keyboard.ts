import type { Locator, Page } from 'playwright-core'

/** Limit of focus stops; every page has fewer. */
const MAX_STOPS = 60

/** Moves the focus by key until an element has it. Fails if the key does not reach the element. */
export async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await wanted.waitFor()
  for (let stops = 0; stops < MAX_STOPS; stops++) {
    if (await wanted.evaluate(showsFocus)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`The key does not move the focus to ${String(wanted)}.`)
}

interface Focusable {
  matches(selector: string): boolean
}
declare function getComputedStyle(element: Focusable): { readonly outlineStyle: string }

/** Returns whether an element has a visible focus. Runs in the browser. */
const showsFocus = (element: Focusable): boolean =>
  element.matches(':focus-visible') && getComputedStyle(element).outlineStyle !== 'none'
