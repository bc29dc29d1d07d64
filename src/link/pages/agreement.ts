import type { PageOptions } from '../view.ts'
import { html } from './html.ts'
import { renderDocument } from './layout.ts'
import { pageContextOf } from './page-context.ts'
import { agreements } from './i18n/agreements.ts'

/** Renders the default agreement, for applications without an agreement of their own. */
export function renderAgreement(options: PageOptions): string {
  const { title, lede, sections } = agreements[options.language]
  return renderDocument(pageContextOf(options), {
    title,
    viewName: 'agreement',
    hasOwnUrl: true,
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
