// The timeline of a stepper in a notebook: makes <shlo-timeline-view> known.
//
// <shlo-timeline-place view="KEY" timeline="{...}"> says what the view KEY is to show; a click in the picture and a move
// of the slider are told to the kernel (field.ts).

import type { Timeline } from './debug_messages';
import { keepKeys, sheetsOf } from './elements';
import { tellKernel } from './field';
import { definePlace, placeFor, type Follower } from './places';
import base from './style.css';
import { TimelineView } from './timeline_view';
import css from './timeline.css';

const PLACE = 'shlo-timeline-place';

class TimelineElement extends HTMLElement implements Follower {
  private readonly view = new TimelineView((position) => tellKernel(this, `goto ${position}`));

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = sheetsOf(base, css);
    root.append(this.view.canvas, this.view.slider, this.view.legend);
  }

  connectedCallback(): void {
    keepKeys(this);
    this.follow();
  }

  follow(): void {
    const timeline = placeFor(PLACE, this)?.getAttribute('timeline');
    if (timeline) this.view.show(JSON.parse(timeline) as Timeline);
  }
}

if (!customElements.get('shlo-timeline-view')) {
  customElements.define('shlo-timeline-view', TimelineElement);
  definePlace(PLACE, 'shlo-timeline-view');
}
