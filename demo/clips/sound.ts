import { type Random, randomOf } from '../random.ts';

const sampleRate = 44_100;

/** Intervals above the tonic, in semitones, of a few ragas. */
const ragas = {
  bhupali: [0, 2, 4, 7, 9, 12, 14, 16],
  yaman: [0, 2, 4, 6, 7, 9, 11, 12],
  bhairavi: [0, 1, 3, 5, 7, 8, 10, 12],
  durga: [0, 2, 5, 7, 9, 12, 14, 17],
  hamsadhwani: [0, 2, 4, 7, 11, 12, 14, 16],
} as const;
const names = Object.keys(ragas) as (keyof typeof ragas)[];

/** A short original piece of music: a drone, plucked notes of a raga, a drum. A 16-bit stereo WAV file with fades at both ends. */
export function composeSound(seconds: number, seed: number): Buffer {
  const random = randomOf(seed * 7919 + 13);
  const raga = ragas[names[Math.floor(random() * names.length)] ?? 'bhupali'];
  const tonic = 130.8 * 2 ** (Math.floor(random() * 8) / 12);
  const beat = 60 / (72 + Math.floor(random() * 58));
  const mono = new Float32Array(Math.round(seconds * sampleRate));
  addDrone(mono, tonic, random);
  let step = Math.floor(random() * 5);
  for (let at = beat; at < seconds - 0.6; at += beat * (random() < 0.35 ? 0.5 : 1)) {
    step = Math.max(0, Math.min(raga.length - 1, step + Math.floor(random() * 5) - 2));
    addPluck(mono, at, tonic * 2 * 2 ** ((raga[step] ?? 0) / 12), 0.22 + random() * 0.12, random);
  }
  const hits = [1, 0, 0.55, 0, 0.8, 0.4, 0.55, 0.3];
  for (let at = 0, hit = 0; at < seconds - 0.2; at += beat / 2, hit += 1) {
    addDrum(mono, at, (hits[hit % hits.length] ?? 0) * 0.3, hit % 4 === 0 ? tonic / 2 : tonic * 1.5);
  }
  return asWav(toStereo(mono));
}

function addDrone(mono: Float32Array, tonic: number, random: Random): void {
  const strings = [tonic, tonic * 1.5, tonic * 1.002, tonic / 2];
  for (const [index, pitch] of strings.entries()) {
    const phase = random();
    for (let sample = 0; sample < mono.length; sample += 1) {
      const time = sample / sampleRate;
      const swell = 0.55 + 0.45 * Math.sin(time * 1.1 + index * 1.7);
      const turn = time * pitch + phase;
      const tone =
        Math.sin(turn * 6.2832) +
        0.5 * Math.sin(turn * 12.566) * swell +
        0.28 * Math.sin(turn * 25.13) * (1 - swell);
      mono[sample] = (mono[sample] ?? 0) + tone * 0.032 * swell;
    }
  }
}

/** A plucked string (Karplus-Strong): a burst of noise that is repeated and low-pass filtered. */
function addPluck(mono: Float32Array, at: number, pitch: number, loudness: number, random: Random): void {
  const length = Math.max(2, Math.round(sampleRate / pitch));
  const string = Float32Array.from({ length }, () => random() * 2 - 1);
  const start = Math.round(at * sampleRate);
  const end = Math.min(mono.length, start + Math.round(sampleRate * 1.6));
  for (let sample = start, place = 0; sample < end; sample += 1) {
    const next = (place + 1) % length;
    const value = string[place] ?? 0;
    mono[sample] = (mono[sample] ?? 0) + value * loudness;
    string[place] = (value + (string[next] ?? 0)) * 0.4982;
    place = next;
  }
}

function addDrum(mono: Float32Array, at: number, loudness: number, pitch: number): void {
  if (loudness === 0) return;
  const start = Math.round(at * sampleRate);
  const end = Math.min(mono.length, start + Math.round(sampleRate * 0.28));
  for (let sample = start; sample < end; sample += 1) {
    const time = (sample - start) / sampleRate;
    const body = Math.sin(6.2832 * pitch * time * (1 + 0.6 * Math.exp(-time * 40))) * Math.exp(-time * 14);
    mono[sample] = (mono[sample] ?? 0) + body * loudness;
  }
}

function toStereo(mono: Float32Array): Buffer {
  const fade = sampleRate * 0.35;
  const loudest = mono.reduce((most, value) => Math.max(most, Math.abs(value)), 0.01);
  const stereo = Buffer.alloc(mono.length * 4);
  const delay = Math.round(sampleRate * 0.011);
  for (let sample = 0; sample < mono.length; sample += 1) {
    const gain = (Math.min(1, sample / fade, (mono.length - sample) / fade) * 0.7 * 32767) / loudest;
    stereo.writeInt16LE(Math.round((mono[sample] ?? 0) * gain), sample * 4);
    stereo.writeInt16LE(Math.round((mono[Math.max(0, sample - delay)] ?? 0) * gain), sample * 4 + 2);
  }
  return stereo;
}

/** The samples after the 44-byte WAV header. */
function asWav(samples: Buffer): Buffer {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + samples.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(2, 22);
  head.writeUInt32LE(sampleRate, 24);
  head.writeUInt32LE(sampleRate * 4, 28);
  head.writeUInt16LE(4, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}
