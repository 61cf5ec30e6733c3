import { animatedPng } from './animated-png.mjs';

const fps = 12;

/**
 * Films a tab frame by frame, with a pointer that shows where it is pressed. How long each frame is shown is said, not
 * measured: a slow machine makes the same film.
 */
export function filmOf(tab, { width, height }) {
  const frames = [];
  let pointer = { x: width * 0.6, y: height * 0.75 };

  const shoot = async (milliseconds) => {
    await tab.evaluate(drawPointer, pointer);
    const picture = (await tab.screenshot({ animations: 'allow', caret: 'hide' })).toString('base64');
    // What shows nothing new makes the one before it last longer.
    if (frames.at(-1)?.picture === picture) frames.at(-1).milliseconds += milliseconds;
    else frames.push({ picture, milliseconds });
  };

  const moveTo = async (to) => {
    const from = pointer;
    const far = Math.hypot(to.x - from.x, to.y - from.y);
    const steps = Math.max(2, Math.min(8, Math.round(far / 90)));
    for (let step = 1; step <= steps; step += 1) {
      const part = (1 - Math.cos((Math.PI * step) / steps)) / 2;
      pointer = { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
      await tab.mouse.move(pointer.x, pointer.y);
      await shoot(step === steps ? 200 : 50);
    }
  };

  const point = async (target) => {
    await target.scrollIntoViewIfNeeded();
    const box = await target.boundingBox();
    if (box === null) throw new Error('what is to be pressed is not to be seen');
    await moveTo({ x: box.x + Math.min(box.width / 2, 90), y: box.y + box.height / 2 });
  };

  return {
    /** Shows what is there, once it has settled. */
    async hold(milliseconds) {
      await tab.waitForTimeout(900);
      await shoot(milliseconds);
    },
    point,
    async press(target) {
      await point(target);
      pointer = { ...pointer, pressed: true };
      await shoot(140);
      pointer = { x: pointer.x, y: pointer.y };
      await target.click();
    },
    async scroll(by) {
      // At once: each picture on the way would be a whole one.
      await tab.mouse.wheel(0, by);
      await tab.waitForTimeout(80);
      await shoot(80);
    },
    /** Shows what moves by itself, for as long as it moves and no longer than is said. */
    async watch(milliseconds) {
      const began = performance.now();
      let last = began;
      while (last - began < milliseconds) {
        await tab.waitForTimeout(1000 / fps);
        const now = performance.now();
        await shoot(Math.round(now - last));
        last = now;
      }
    },
    seconds: () => frames.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1000,
    /** The film as an animated PNG; the pictures are read in a page of their own. */
    async develop(context) {
      const reader = await context.newPage();
      await reader.evaluate(prepareReader, { width, height });
      for (const { picture } of frames) await reader.evaluate((png) => globalThis.countColours(png), picture);
      const palette = await reader.evaluate(() => globalThis.choosePalette());
      const developed = [];
      for (const { picture, milliseconds } of frames) {
        const changed = await reader.evaluate((png) => globalThis.readFrame(png), picture);
        if (changed === undefined) developed.at(-1).milliseconds += milliseconds;
        else developed.push({ ...changed, milliseconds, indices: Buffer.from(changed.indices, 'base64') });
      }
      await reader.close();
      return animatedPng(width, height, palette, developed);
    },
  };
}

/** In the tab: a pointer over everything, which a screenshot has none of. */
function drawPointer({ x, y, pressed }) {
  const id = 'film-pointer';
  let shape = document.getElementById(id);
  if (shape === null) {
    shape = document.createElement('div');
    shape.id = id;
    shape.style.cssText = 'position:fixed;left:0;top:0;z-index:2147483647;pointer-events:none;width:24px;height:24px';
    shape.innerHTML =
      '<svg width="40" height="40" viewBox="-12 -12 40 40" style="position:absolute;left:-12px;top:-12px"><circle r="11" fill="#f2b600" opacity="0"/><path d="M0 0v17l4-4 3 7 3-1-3-7h6z" fill="#111" stroke="#fff" stroke-width="1.5"/></svg>';
  }
  // A dialog lies above everything; what is appended last to it lies above that.
  (document.querySelector('dialog[open]') ?? document.body).append(shape);
  shape.style.transform = `translate(${x}px, ${y}px)`;
  shape.querySelector('circle').setAttribute('opacity', pressed ? '0.55' : '0');
}

/** In a page of its own, which can read pictures: which colours they have, and what each frame changes. */
function prepareReader({ width, height }) {
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  const counts = new Map();
  const nearest = new Map();
  const palette = [];
  let before;
  const read = async (png) => {
    const bytes = Uint8Array.from(atob(png), (character) => character.codePointAt(0) ?? 0);
    context.drawImage(await createImageBitmap(new Blob([bytes], { type: 'image/png' })), 0, 0);
    return new Uint32Array(context.getImageData(0, 0, width, height).data.buffer);
  };
  const channels = (colour) => [colour & 255, (colour >> 8) & 255, (colour >> 16) & 255];
  const distance = (one, other) => {
    const [here, there] = [channels(one), channels(other)];
    return here.reduce((sum, value, at) => sum + (value - there[at]) ** 2, 0);
  };
  /** Index 0 is left for what does not change. */
  const indexOf = (colour) => {
    let index = nearest.get(colour);
    if (index !== undefined) return index;
    index = 0;
    for (let at = 1; at < palette.length; at += 1)
      if (distance(palette[at], colour) < distance(palette[index], colour)) index = at;
    index += 1;
    nearest.set(colour, index);
    return index;
  };
  globalThis.countColours = async (png) => {
    for (const colour of await read(png)) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  };
  /** The most frequent ones, none so near to another that nobody could tell them apart. */
  globalThis.choosePalette = () => {
    for (const [colour] of [...counts].toSorted(([, one], [, other]) => other - one)) {
      if (palette.length === 255) break;
      if (palette.every((chosen) => distance(chosen, colour) > 40)) palette.push(colour);
    }
    return [0, 0, 0, ...palette.flatMap(channels)];
  };
  globalThis.readFrame = async (png) => {
    const indices = Uint8Array.from(await read(png), indexOf);
    let [left, top, right, bottom] = [width, height, 0, 0];
    for (let at = 0; at < indices.length; at += 1) {
      if (indices[at] === before?.[at]) continue;
      const [x, y] = [at % width, Math.floor(at / width)];
      [left, top] = [Math.min(left, x), Math.min(top, y)];
      [right, bottom] = [Math.max(right, x + 1), Math.max(bottom, y + 1)];
    }
    if (left >= right) return undefined;
    let text = '';
    for (let y = top; y < bottom; y += 1)
      for (let x = left; x < right; x += 1) {
        const at = y * width + x;
        text += String.fromCodePoint(indices[at] === before?.[at] ? 0 : indices[at]);
      }
    before = indices;
    return { x: left, y: top, width: right - left, height: bottom - top, indices: btoa(text) };
  };
}
