import type { LinkProviderRequest } from '../../subgraphs/connections/linking/request-provider.ts'
import { unlistedProvider } from '../../providers/unsupported-providers.ts'
import type { PageOptions, View } from '../view.ts'
import { html, type Html, type Part } from './html.ts'
import { providerIcon, icon } from './icons.ts'
import { renderDocument, form, exitForms } from './layout.ts'
import { type PageContext, pageContextOf } from './page-context.ts'

type RequestView = Extract<View, { step: 'request' }>

/** Renders the form that requests a provider. The page is no step of a sign-in, so it shows no progress. */
export function requestProviderPage(view: RequestView, options: PageOptions): string {
  const context = pageContextOf(options, view.provider ?? { ...unlistedProvider, isLinkable: false })
  const { texts, names } = context
  const title = view.provider ? texts.request.title(names) : texts.request.titleUnlisted
  return renderDocument(context, {
    title,
    viewName: 'request',
    state: `request ${view.wrong.join(' ')}`,
    isError: view.wrong.length > 0,
    body: html`${view.wrong.length > 0 && problem(view, context)}
      ${view.provider && providerIcon(view.provider)}
      <h1>${title}</h1>
      <p class="lede">${view.provider ? texts.request.lede(names) : texts.request.ledeUnlisted(names)}</p>
      ${form(context, 'request', fields(view, context), html`class="stack"`)}
      ${exitForms(context, view.mayChooseAnother ? texts.signIn.another : null)}`,
  })
}

function problem({ wrong }: RequestView, { texts }: PageContext): Html {
  return html`<div class="problem" role="alert" tabindex="-1" data-focus aria-labelledby="problem-title">
    ${icon('alert')}
    <div>
      <h2 id="problem-title">${texts.request.problem}</h2>
      ${wrong.map((name) => html`<p id="problem-${name}">${texts.request.wrong[name]}</p>`)}
    </div>
  </div>`
}

function fields(view: RequestView, context: PageContext): Html {
  const { texts, names } = context
  return html`${!view.provider && field('provider', view, context, html`autocomplete="off" required maxlength="100"`)}
    ${field('contactEmail', view, context, html`type="email" autocomplete="email" required maxlength="254"`)}
    ${field('dotNumber', view, context, html`inputmode="numeric" autocomplete="off" maxlength="8"`)}
    <p class="sealed">${icon('lock')}<span>${texts.request.passedOn(names)}</span></p>
    <button class="primary">${texts.request.submit(names)}</button>`
}

function field(
  name: keyof LinkProviderRequest,
  { typed, wrong }: RequestView,
  { texts }: PageContext,
  attributes: Part,
): Html {
  const isWrong = wrong.includes(name)
  return html`<div class="field">
    <label for="field-${name}"
      >${texts.request.fields[name]}${name === 'dotNumber' && html` <span class="optional">(${texts.signIn.optional})</span>`}</label
    >
    <div class="field-row">
      <input
        id="field-${name}"
        name="${name}"
        value="${typed[name]}"
        ${attributes}${isWrong && html` aria-invalid="true" aria-describedby="problem-${name}"`}
      />
    </div>
  </div>`
}
