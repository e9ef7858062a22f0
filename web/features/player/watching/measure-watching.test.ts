import { describe, expect, it } from 'vitest';
import { measureWatching } from './measure-watching.ts';

class Video extends EventTarget {
  currentTime = 0;
  duration = 20;
  clock = 0;
  paused = false;
  play(seconds: number) {
    for (let step = 0; step < seconds * 4; step += 1) {
      this.clock += 250;
      this.at((this.currentTime + 0.25) % this.duration);
    }
  }
  at(time: number) {
    this.currentTime = time;
    this.dispatchEvent(new Event('timeupdate'));
  }
}

function measured(seconds: number, video = new Video()) {
  const state = { isVisible: true, watched: [] as number[] };
  const stop = measureWatching(video, {
    seconds,
    isVisible: () => state.isVisible,
    onWatched: (time) => state.watched.push(time),
    now: () => video.clock,
  });
  return { video, state, stop };
}

describe('a watched view', () => {
  it('is reported once, after five seconds of play', () => {
    const { video, state } = measured(5);
    video.play(4.75);
    expect(state.watched).toEqual([]);
    video.play(6);
    expect(state.watched).toEqual([5]);
  });

  it('does not count stalls and pauses, and continues the sum after them', () => {
    const { video, state } = measured(5);
    video.play(3);
    for (let times = 0; times < 40; times += 1) video.at(3);
    expect(state.watched).toEqual([]);
    video.play(2);
    expect(state.watched).toEqual([5]);
  });

  it('does not count playback in a hidden tab or outside of the screen', () => {
    const { video, state } = measured(5);
    video.play(2);
    state.isVisible = false;
    video.play(10);
    state.isVisible = true;
    video.play(2.75);
    expect(state.watched).toEqual([]);
    video.play(0.25);
    expect(state.watched).toEqual([5]);
  });

  it('counts playback while a busy device reports no position for seconds', () => {
    const { video, state } = measured(5);
    video.clock += 5000;
    video.at(5);
    expect(state.watched).toEqual([5]);
  });

  it('does not count a jump, forward or back', () => {
    const { video, state } = measured(5);
    video.play(2);
    video.at(15);
    video.at(4);
    expect(state.watched).toEqual([]);
    video.play(3);
    expect(state.watched).toEqual([5]);
  });

  it('does not count a jump after a minute of pause', () => {
    const { video, state } = measured(5);
    video.play(2);
    video.paused = true;
    video.clock += 60_000;
    for (const time of [12, 1]) {
      video.currentTime = time;
      video.dispatchEvent(new Event('seeking'));
      video.at(time);
    }
    video.paused = false;
    expect(state.watched).toEqual([]);
    video.play(3);
    expect(state.watched).toEqual([5]);
  });

  it('continues in a short reel that loops', () => {
    const video = new Video();
    video.duration = 1;
    const { state } = measured(0.9, video);
    video.play(0.75);
    expect(state.watched).toEqual([]);
    video.play(0.25);
    expect(state.watched).toEqual([1]);
  });

  it('counts a loop to its end on a busy device, which reports the position late', () => {
    const video = new Video();
    video.duration = 2;
    const { state } = measured(1.8, video);
    video.play(1);
    video.clock += 1000;
    video.currentTime = 0;
    video.dispatchEvent(new Event('seeking'));
    expect(state.watched).toEqual([2]);
  });

  it('counts from the start of the measurement, not from the beginning of the video', () => {
    const video = new Video();
    video.play(3);
    const { state } = measured(5, video);
    video.play(4.75);
    expect(state.watched).toEqual([]);
  });

  it('is not reported after the measurement has ended', () => {
    const { video, state, stop } = measured(5);
    video.play(4);
    stop();
    video.play(4);
    expect(state.watched).toEqual([]);
  });
});
