import { unlistedProvider } from '../../providers/unsupported-providers.ts'
import type { PageOptions, ProviderSummary, View } from '../view.ts'
import { html, type Html } from './html.ts'
import { providerIcon, icon } from './icons.ts'
import { renderDocument, form, statusLine, exitForms } from './layout.ts'
import { type PageContext, pageContextOf } from './page-context.ts'

type Choose = Extract<View, { step: 'choose' }>

export function choose(view: Choose, options: PageOptions): string {
  const context = pageContextOf(options)
  const { texts, names } = context
  return renderDocument(context, {
    title: texts.choose.title,
    viewName: view.step,
    progressStep: 'choose',
    search: view.search,
    body: html`<h1>${texts.choose.title}</h1>
      <p class="lede">${texts.choose.lede(names)}</p>
      ${searchForm(view, context)} ${resultCount(view, context)}
      ${form(context, 'choose', list(view.providers, context))}
      <div class="none" data-none${view.providers.length > 0 && html` hidden`}>
        <p>
          <strong>${view.search && texts.choose.none(view.search)}</strong> ${texts.choose.noneAdvice(names)}
        </p>
      </div>
      ${view.search && html`<p><a class="link" href="${unfilteredUrl(options)}">${texts.choose.all}</a></p>`}
      ${form(context, 'choose', html`<button class="secondary wide" name="provider" value="${unlistedProvider.code}">${texts.choose.unlisted}</button>`)}
      ${exitForms(context, null)}`,
  })
}

function resultCount({ search, providers }: Choose, { texts }: PageContext): Html {
  const text = search && texts.choose.found(providers.length)
  return statusLine('found', text, { one: texts.choose.found(1), many: texts.choose.found(2) })
}

function searchForm({ search }: Choose, { texts, options }: PageContext): Html {
  return html`<form method="get" action="${options.run ?? ''}" role="search" class="search">
    <input type="hidden" name="lang" value="${options.language}" />
    <label for="q">${texts.choose.search}</label>
    <div class="search-row">
      <input
        id="q"
        type="search"
        name="q"
        value="${search}"
        autocomplete="off"
        autocapitalize="none"
        spellcheck="false"
        enterkeyhint="search"
      />
      <button class="secondary search-button" aria-label="${texts.choose.submit}">${icon('search')}</button>
    </div>
  </form>`
}

function list(providers: readonly ProviderSummary[], { texts }: PageContext): Html {
  return html`<ul class="providers" aria-label="${texts.choose.list}">
    ${providers.map(
      (provider) =>
        html`<li data-name="${provider.name} ${provider.code}">
          <button
            class="provider${!provider.isLinkable && ' provider-off'}"
            name="provider"
            value="${provider.code}"
          >
            ${providerIcon(provider)}<span class="provider-name"
              >${provider.name}${!provider.isLinkable && html` <span class="tag">${texts.choose.unavailable}</span>`}${provider.isSandbox && html` <span class="tag">${texts.simulated}</span>`}</span
            >${icon('chevron')}
          </button>
        </li> `,
    )}
  </ul>`
}

const unfilteredUrl = ({ run, language }: PageOptions): string =>
  `${run?.split('?')[0] ?? ''}?lang=${language}`
