import type { Frame } from '../view.ts'
import { html } from './html.ts'
import { document, sceneOf } from './layout.ts'
import { agreements } from './texts/agreements.ts'

/** Our own agreement, for applications that have none of theirs. */
export function renderAgreement(frame: Frame): string {
  const { title, lede, sections } = agreements[frame.language]
  return document(sceneOf(frame), {
    title,
    shows: 'agreement',
    hasAddress: true,
    body: html`<h1>${title}</h1>
      <p class="lede">${lede}</p>
      ${sections.map(
        ({ name, text }) =>
          html`<section>
            <h2>${name}</h2>
            <p>${text}</p>
          </section> `,
      )}`,
  })
}
