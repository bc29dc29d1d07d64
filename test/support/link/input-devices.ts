import type { Locator, Page } from 'playwright-core'
import { tabTo } from './keyboard.ts'

/** What a person works the pages with. */
export interface Hands {
  press(button: Locator): Promise<void>
  fill(field: Locator, text: string): Promise<void>
  tick(box: Locator): Promise<void>
}

export const mouse = (): Hands => ({
  press: (button) => button.click(),
  fill: (field, text) => field.fill(text),
  tick: (box) => box.check(),
})

export const finger = (): Hands => ({
  press: (button) => button.tap(),
  async fill(field, text) {
    await field.tap()
    await field.fill(text)
  },
  tick: (box) => box.tap(),
})

export const keyboard = (page: Page): Hands => ({
  async press(button) {
    await tabTo(page, button)
    await page.keyboard.press('Enter')
  },
  async fill(field, text) {
    await tabTo(page, field)
    await page.keyboard.press('Control+A')
    await page.keyboard.type(text)
  },
  async tick(box) {
    await tabTo(page, box)
    await page.keyboard.press('Space')
  },
})
