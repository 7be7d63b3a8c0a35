import { JupyterFrontEnd } from '@jupyterlab/application';

import { Answer, Channels } from './channel';
import { kernelOf } from './places';

/** What a tensor view asks for by an event (web/src/embedded.ts); who can answer sets `answer`. */
interface Question {
  readonly key: string;
  readonly slice: unknown;
  answer?: Promise<unknown>;
}

interface PlaneAnswer extends Answer {
  readonly plane: unknown;
}

/** Lets tensor views in notebooks ask the notebook's kernel for planes that the page does not have. */
export function answerPlanes(app: JupyterFrontEnd): void {
  const channels = new Channels<PlaneAnswer>('shlo.planes');
  document.addEventListener('shlo-plane', event => {
    const question = (event as CustomEvent<Question>).detail;
    const kernel = kernelOf(app, event.composedPath()[0] as Node);
    const answer = kernel && channels.ask(kernel, { key: question.key, slice: question.slice });
    if (answer) question.answer = answer.then(({ plane }) => plane);
  });
}
