import { stylesPath, scriptPath } from './assets.ts'
import type { Frame, ProviderFace, View } from '../view.ts'
import { html, type Html, type Part } from './html.ts'
import { icon } from './icons.ts'
import { progressIndicator } from './progress-indicator.ts'
import { languages, textsIn } from './i18n/language.ts'
import type { StepOnTheWay } from './i18n/texts.ts'
import type { PageContext } from './page-context.ts'

export interface PageContent {
  readonly title: string
  /** What the page shows, in a word. */
  readonly shows: View['step']
  /** Tells one state of what is shown from another, for who waits for it to change. */
  readonly state?: string
  /** The step of the way, for the route on top; absent off the way. */
  readonly step?: StepOnTheWay | 'done'
  readonly provider?: ProviderFace
  readonly body: Html
  /** For the script: what it acts on. */
  readonly facts?: Readonly<Record<string, string | null>>
  /** Without a script, the page loads itself again after so many seconds. */
  readonly againSeconds?: number
  /** Whether the page is about something that did not work. */
  readonly isError?: boolean
  /** Whether it has an address of its own, outside of any run. */
  readonly hasAddress?: boolean
  /** Of the address, beside the language. */
  readonly search?: string
}

/** A whole page around what it says. */
export function renderDocument(scene: PageContext, page: PageContent): string {
  const { texts, frame } = scene
  return html`<!doctype html>
<html lang="${frame.language}">
${head(scene, page)}
<body${facts({ step: page.shows, state: page.state ?? page.shows, ...page.facts })} data-origins="${frame.origins.join(' ')}">
<a class="skip" href="#main">${texts.skip}</a>
<div class="page page-${hasPromise(page) ? page.step : 'plain'}">
<main id="main" class="card" tabindex="-1">
${page.step && progressIndicator(scene, page.step, page.provider)}
${page.body}
</main>
${hasPromise(page) && promise(scene)}
${footer(scene, page)}
</div>
</body>
</html>
`.text
}

/** On the way there, not at its end. */
const hasPromise = ({ step }: PageContent): boolean => step !== undefined && step !== 'done'

function head({ texts, names, frame }: PageContext, page: PageContent): Html {
  const title = [
    page.isError ? `${texts.errorInTitle}: ${page.title}` : page.title,
    frame.applicationName ?? 'Odograph',
  ]
  const again = page.againSeconds
  return html`<head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="robots" content="noindex" />
    <title>${title.join(' · ')}</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="${frame.base}${stylesPath}" />
    <script type="module" src="${frame.base}${scriptPath}"></script>
    ${again !== undefined && html`<noscript><meta http-equiv="refresh" content="${again}" /></noscript>`}
    <meta name="description" content="${texts.promise.title(names)}" />
  </head>`
}

/** A line that is read out when it changes. Nothing stands in it but its text: it has no room while it is empty. */
export function statusLine(name: string, text: Part, given: Readonly<Record<string, string>>): Html {
  return html`<p class="${name}" role="status" ${facts(given)}>${text}</p>`
}

const facts = (given: Readonly<Record<string, string | null>>): Part =>
  Object.entries(given)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => html` data-${name}="${value}"`)

/** What a fleet may count on. Beside the step where there is room, else below it. */
function promise({ texts, names }: PageContext): Html {
  const { title, decide, sealed, stop } = texts.promise
  const point = (drawing: Html, name: string, text: string) =>
    html`<li>
      ${drawing}
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
                  <a
                    href="${addressIn(frame, language, page.search)}"
                    lang="${language}"
                    hreflang="${language}"
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

/** The address of the page that is shown, in a language. */
function addressIn({ run }: Frame, language: string, search = ''): string {
  const query = new URLSearchParams({ ...(search ? { q: search } : {}), lang: language })
  return `${run?.split('?')[0] ?? ''}?${query}`
}

/** A form of a run; each says what is to be done, and at which provider: the run may be at another by then. */
export function form({ frame, at }: PageContext, action: string, content: Part, attributes: Part = ''): Html {
  return html`<form method="post" action="${frame.run ?? ''}" ${attributes}>
    <input type="hidden" name="do" value="${action}" />
    <input type="hidden" name="lang" value="${frame.language}" />
    ${at !== null && html`<input type="hidden" name="at" value="${at}" />`} ${content}
  </form>`
}

/** The quiet forms at the end of a step: one back, where there is something to go back to, and one out. */
export function exitForms(scene: PageContext, back: string | null): Html {
  const { texts } = scene
  return html`<div class="ways-out">
    ${back !== null && form(scene, 'back', html`<button class="quiet">${icon('back')}${back}</button>`)}
    ${form(scene, 'cancel', html`<button class="quiet">${texts.cancel}</button>`)}
  </div>`
}
