import type { PageOptions, ConsentCategory, View } from '../view.ts'
import { html, type Html, safeLinkUrl } from './html.ts'
import { icon } from './icons.ts'
import { renderDocument, form, exitForms } from './layout.ts'
import { type PageContext, pageContextOf } from './page-context.ts'

type Consent = Extract<View, { step: 'consent' }>

export function consent(view: Consent, options: PageOptions): string {
  const context = pageContextOf(options, view.provider)
  const { texts, names } = context
  return renderDocument(context, {
    title: texts.consent.title(names),
    viewName: view.step,
    progressStep: 'consent',
    provider: view.provider,
    body: html`<h1>${texts.consent.title(names)}</h1>
      <p class="lede">${texts.consent.lede(names)}</p>
      <ul class="shares">
        ${view.categories.map((category) => categoryItem(category, context))}
      </ul>
      <p class="sealed">${icon('lock')}<span>${texts.consent.password(names)}</span></p>
      ${form(context, 'agree', consentFields(view, context), html`class="stack"`)}
      ${exitForms(context, texts.back)}`,
  })
}

function categoryItem(category: ConsentCategory, { texts }: PageContext): Html {
  const { name, text } = texts.consent.shares[category]
  return html`<li>
    ${icon(category)}
    <p><strong>${name}</strong> <span>${text}</span></p>
  </li>`
}

function consentFields({ agreementUrl }: Consent, { texts, names }: PageContext): Html {
  return html`<p>
      <a class="link" href="${safeLinkUrl(agreementUrl)}" target="_blank" rel="noopener"
        >${texts.consent.read} <span class="new-tab">(${texts.opensNewTab})</span></a
      >
    </p>
    <label class="agreed" for="agreed"
      ><input id="agreed" type="checkbox" name="agreed" value="on" required /><span
        >${texts.consent.agreed(names)}</span
      ></label
    >
    <button class="primary">${texts.consent.submit}</button>`
}
