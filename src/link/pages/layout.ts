import { stylesPath, scriptPath } from './assets.ts'
import type { LinkStep, PageOptions, ProviderSummary, View } from '../view.ts'
import { html, type Html, type Part } from './html.ts'
import { icon } from './icons.ts'
import { progressIndicator } from './progress-indicator.ts'
import { languages, textsIn } from './i18n/language.ts'
import type { PageContext } from './page-context.ts'

export interface PageContent {
  readonly title: string
  readonly viewName: View['step']
  /** State of the view; by default `viewName`. The script reloads the page when the state changes. */
  readonly state?: string
  /** Step for the progress indicator; absent on pages without one. */
  readonly progressStep?: LinkStep | 'done'
  readonly provider?: ProviderSummary
  readonly body: Html
  /** Data attributes of the page, which the script reads. */
  readonly scriptData?: Readonly<Record<string, string | null>>
  /** Interval in seconds at which the page reloads in a browser without scripts. */
  readonly reloadSeconds?: number
  /** Whether the page reports an error. */
  readonly isError?: boolean
  /** Whether the page has a URL although it belongs to no run, so that it can link to its other languages. */
  readonly hasOwnUrl?: boolean
  /** Search text in the URL. */
  readonly search?: string
}

/** Renders a complete HTML document. */
export function renderDocument(context: PageContext, page: PageContent): string {
  const { texts, options } = context
  return html`<!doctype html>
<html lang="${options.language}">
${head(context, page)}
<body${dataAttributes({ step: page.viewName, state: page.state ?? page.viewName, ...page.scriptData })} data-origins="${options.origins.join(' ')}">
<a class="skip" href="#main">${texts.skip}</a>
<div class="page page-${hasAssurances(page) ? page.progressStep : 'plain'}">
<main id="main" class="card" tabindex="-1">
${page.progressStep && progressIndicator(context, page.progressStep, page.provider)}
${page.body}
</main>
${hasAssurances(page) && assurances(context)}
${footer(context, page)}
</div>
</body>
</html>
`.text
}

/** Whether the page shows the assurances: on each step, but not at the end. */
const hasAssurances = ({ progressStep }: PageContent): boolean =>
  progressStep !== undefined && progressStep !== 'done'

function head({ texts, names, options }: PageContext, page: PageContent): Html {
  const title = [
    page.isError ? `${texts.errorInTitle}: ${page.title}` : page.title,
    options.applicationName ?? 'Odograph',
  ]
  const reload = page.reloadSeconds
  return html`<head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="robots" content="noindex" />
    <title>${title.join(' · ')}</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="${options.basePath}${stylesPath}" />
    <script type="module" src="${options.basePath}${scriptPath}"></script>
    ${reload !== undefined && html`<noscript><meta http-equiv="refresh" content="${reload}" /></noscript>`}
    <meta name="description" content="${texts.promise.title(names)}" />
  </head>`
}

/**
 * Renders a line that screen readers announce when its text changes. The element contains no white space around the
 * text, so that it takes no space while it is empty.
 */
export function statusLine(name: string, text: Part, attributes: Readonly<Record<string, string>>): Html {
  return html`<p class="${name}" role="status" ${dataAttributes(attributes)}>${text}</p>`
}

const dataAttributes = (attributes: Readonly<Record<string, string | null>>): Part =>
  Object.entries(attributes)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => html` data-${name}="${value}"`)

/** Renders the assurances to the fleet: next to the step if there is room, else below it. */
function assurances({ texts, names }: PageContext): Html {
  const { title, decide, sealed, stop } = texts.promise
  const point = (image: Html, name: string, text: string) =>
    html`<li>
      ${image}
      <p><strong>${name}</strong> <span>${text}</span></p>
    </li>`
  return html`<aside class="promise" aria-label="${title(names)}">
    <p class="promise-title" aria-hidden="true">${title(names)}</p>
    <ul>
      ${point(icon('choice'), decide.name, decide.text)}
      ${point(icon('lock'), sealed.name, sealed.text(names))}
      ${point(icon('stop'), stop.name, stop.text(names))}
    </ul>
  </aside>`
}

function footer({ texts, options }: PageContext, page: PageContent): Html {
  return html`<footer class="footer">
    <p class="brand">${mark} Odograph</p>
    ${
      (options.run !== null || page.hasOwnUrl) &&
      html`<nav aria-label="${texts.languages}">
        <ul class="languages">
          ${languages.map((language) => {
            const name = textsIn(language).language
            return language === options.language
              ? html`<li><span aria-current="true">${name}</span></li>`
              : html`<li>
                  <a href="${urlIn(options, language, page.search)}" lang="${language}" hreflang="${language}"
                    >${name}</a
                  >
                </li>`
          })}
        </ul>
      </nav>`
    }
  </footer>`
}

const mark = html`<svg class="mark" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
  <path d="M3 17c4-9 12 4 18-8" />
  <circle cx="21" cy="9" r="2" />
</svg>`

/** Returns the URL of the current page in a language. */
function urlIn({ run }: PageOptions, language: string, search = ''): string {
  const query = new URLSearchParams({ ...(search ? { q: search } : {}), lang: language })
  return `${run?.split('?')[0] ?? ''}?${query}`
}

/**
 * Renders a form of a run. The form contains its action and the provider of the page. The run may have another provider
 * by the time the form arrives.
 */
export function form(
  { options, providerCode }: PageContext,
  action: string,
  content: Part,
  attributes: Part = '',
): Html {
  return html`<form method="post" action="${options.run ?? ''}" ${attributes}>
    <input type="hidden" name="do" value="${action}" />
    <input type="hidden" name="lang" value="${options.language}" />
    ${providerCode !== null && html`<input type="hidden" name="at" value="${providerCode}" />`} ${content}
  </form>`
}

/** Renders the secondary forms of a step: back, if there is a previous step, and cancel. */
export function exitForms(context: PageContext, back: string | null): Html {
  const { texts } = context
  return html`<div class="ways-out">
    ${back !== null && form(context, 'back', html`<button class="quiet">${icon('back')}${back}</button>`)}
    ${form(context, 'cancel', html`<button class="quiet">${texts.cancel}</button>`)}
  </div>`
}
