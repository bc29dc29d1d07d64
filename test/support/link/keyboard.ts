import type { Locator, Page } from 'playwright-core'

/** More than any of the pages has. */
const MOST_STOPS = 60

/** Goes on by the key until something has the focus; fails where the key does not lead there. */
export async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await wanted.waitFor()
  for (let stops = 0; stops < MOST_STOPS; stops++) {
    if (await wanted.evaluate(showsFocus)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`The key does not lead to ${String(wanted)}.`)
}

interface Focusable {
  matches(selector: string): boolean
}
declare function getComputedStyle(element: Focusable): { readonly outlineStyle: string }

/** Whether something has the focus, and one sees that it has. Runs in the browser. */
const showsFocus = (element: Focusable): boolean =>
  element.matches(':focus-visible') && getComputedStyle(element).outlineStyle !== 'none'
