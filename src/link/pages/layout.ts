import { stylesPath, scriptPath } from './assets.ts'
import type { Frame, ProviderSummary, View } from '../view.ts'
import { html, type Html, type Part } from './html.ts'
import { icon } from './icons.ts'
import { progressIndicator } from './progress-indicator.ts'
import { languages, textsIn } from './i18n/language.ts'
import type { LinkStep } from './i18n/texts.ts'
import type { PageContext } from './page-context.ts'

export interface PageContent {
  readonly title: string
  /** Step of the view. */
  readonly shows: View['step']
  /** Identifies the state of the view. The script reloads the page when it changes. */
  readonly state?: string
  /** Step for the progress indicator; absent on pages without one. */
  readonly step?: LinkStep | 'done'
  readonly provider?: ProviderSummary
  readonly body: Html
  /** Data attributes for the script. */
  readonly facts?: Readonly<Record<string, string | null>>
  /** Interval in seconds at which the page reloads without a script. */
  readonly reloadSeconds?: number
  /** Whether the page reports an error. */
  readonly isError?: boolean
  /** Whether the page has a URL without a run. */
  readonly hasAddress?: boolean
  /** Search text in the URL. */
  readonly search?: string
}

/** Renders a complete HTML document. */
export function renderDocument(context: PageContext, page: PageContent): string {
  const { texts, frame } = context
  return html`<!doctype html>
<html lang="${frame.language}">
${head(context, page)}
<body${dataAttributes({ step: page.shows, state: page.state ?? page.shows, ...page.facts })} data-origins="${frame.origins.join(' ')}">
<a class="skip" href="#main">${texts.skip}</a>
<div class="page page-${hasAssurances(page) ? page.step : 'plain'}">
<main id="main" class="card" tabindex="-1">
${page.step && progressIndicator(context, page.step, page.provider)}
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
const hasAssurances = ({ step }: PageContent): boolean => step !== undefined && step !== 'done'

function head({ texts, names, frame }: PageContext, page: PageContent): Html {
  const title = [
    page.isError ? `${texts.errorInTitle}: ${page.title}` : page.title,
    frame.applicationName ?? 'Odograph',
  ]
  const reload = page.reloadSeconds
  return html`<head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="robots" content="noindex" />
    <title>${title.join(' · ')}</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="${frame.base}${stylesPath}" />
    <script type="module" src="${frame.base}${scriptPath}"></script>
    ${reload !== undefined && html`<noscript><meta http-equiv="refresh" content="${reload}" /></noscript>`}
    <meta name="description" content="${texts.promise.title(names)}" />
  </head>`
}

/**
 * Renders a line that screen readers announce when it changes. It contains only its text, so that it takes no
 * space while empty.
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

function footer({ texts, frame }: PageContext, page: PageContent): Html {
  return html`<footer class="footer">
    <p class="brand">${mark} Odograph</p>
    ${
      (frame.run !== null || page.hasAddress) &&
      html`<nav aria-label="${texts.languages}">
        <ul class="languages">
          ${languages.map((language) => {
            const name = textsIn(language).language
            return language === frame.language
              ? html`<li><span aria-current="true">${name}</span></li>`
              : html`<li>
                  <a href="${urlIn(frame, language, page.search)}" lang="${language}" hreflang="${language}"
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
function urlIn({ run }: Frame, language: string, search = ''): string {
  const query = new URLSearchParams({ ...(search ? { q: search } : {}), lang: language })
  return `${run?.split('?')[0] ?? ''}?${query}`
}

/**
 * Renders a form of a run. It names the action and the provider, because the run may have another provider
 * when the form arrives.
 */
export function form({ frame, at }: PageContext, action: string, content: Part, attributes: Part = ''): Html {
  return html`<form method="post" action="${frame.run ?? ''}" ${attributes}>
    <input type="hidden" name="do" value="${action}" />
    <input type="hidden" name="lang" value="${frame.language}" />
    ${at !== null && html`<input type="hidden" name="at" value="${at}" />`} ${content}
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
