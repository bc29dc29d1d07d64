import type { LinkProblem } from '../../subgraphs/connections/linking/link-run.ts'
import { html, type Html } from './html.ts'
import { icon } from './icons.ts'
import { form } from './layout.ts'
import type { PageContext } from './page-context.ts'

/** Renders a problem and its solution. The script moves the focus there, so that screen readers read it first. */
export function problemBox(context: PageContext, problem: LinkProblem, mayRetry: boolean): Html {
  const { texts, names } = context
  const { title, text } = texts.problems[problem]
  return html`<div class="problem" role="alert" tabindex="-1" data-focus aria-labelledby="problem-title">
    ${icon('alert')}
    <div>
      <h2 id="problem-title">${title}</h2>
      <p id="problem">${text(names)}</p>
      ${mayRetry && form(context, 'retry', html`<button class="secondary">${texts.retry}</button>`)}
    </div>
  </div>`
}
