import type { Locator, Page } from 'playwright-core'
import { tabTo } from './keyboard.ts'

/** Input devices that operate the pages. */
export interface InputDevice {
  press(button: Locator): Promise<void>
  fill(field: Locator, text: string): Promise<void>
  tick(box: Locator): Promise<void>
}

export const mouse = (): InputDevice => ({
  press: (button) => button.click(),
  fill: (field, text) => field.fill(text),
  tick: (box) => box.check(),
})

export const finger = (): InputDevice => ({
  press: (button) => button.tap(),
  async fill(field, text) {
    await field.tap()
    await field.fill(text)
  },
  tick: (box) => box.tap(),
})

export const keyboard = (page: Page): InputDevice => ({
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
