export interface DemoPerson {
  name: string;
  username: string;
  follows: string[];
}

const person = (name: string, username: string, follows: string): DemoPerson => ({
  name,
  username,
  follows: follows.split(' '),
});

/** The demo's creators; the console prints the login of the first one. */
export const people: readonly DemoPerson[] = [
  person('Leela Krishnan', 'leela.rangoli', 'aarav.skies sana.silks gauri.garden noor.prints mira.monsoon'),
  person('Aarav Patel', 'aarav.skies', 'leela.rangoli tara.trails ishaan.nights rohan.looks'),
  person('Mira Deshmukh', 'mira.monsoon', 'leela.rangoli dev.darya kabir.maps ishaan.nights sana.silks'),
  person('Kabir Sheikh', 'kabir.maps', 'leela.rangoli tara.trails noor.prints ishaan.nights'),
  person('Tara Negi', 'tara.trails', 'leela.rangoli ishaan.nights dev.darya aarav.skies'),
  person('Sana Ansari', 'sana.silks', 'leela.rangoli noor.prints gauri.garden pihu.plumes'),
  person('Dev Menon', 'dev.darya', 'leela.rangoli mira.monsoon tara.trails'),
  person('Noor Khatri', 'noor.prints', 'leela.rangoli sana.silks kabir.maps'),
  person('Ishaan Bora', 'ishaan.nights', 'tara.trails aarav.skies leela.rangoli kabir.maps dev.darya'),
  person('गौरी जोशी', 'gauri.garden', 'leela.rangoli pihu.plumes sana.silks'),
  person('Pihu Rathore', 'pihu.plumes', 'gauri.garden leela.rangoli aarav.skies'),
  person(
    'Rohan D’Souza',
    'rohan.looks',
    'leela.rangoli mira.monsoon aarav.skies tara.trails sana.silks dev.darya',
  ),
];

/** People who only watch; frequent viewers vouch for the creators. */
export const viewers: readonly string[] = [
  'Ananya Iyer',
  'Arjun Rao',
  'Bhavna Shah',
  'Chirag Mehta',
  'Divya Nair',
  'Farhan Qureshi',
  'Geeta Yadav',
  'Harpreet Gill',
  'Ila Sen',
  'Jatin Bhatt',
  'Kavya Reddy',
  'Lakshmi Pillai',
  'Manoj Tiwari',
  'Neha Kulkarni',
  'Omkar Patil',
  'Priya Das',
  'Rahul Verma',
  'Sneha Ghosh',
  'Tanvi Kapoor',
  'Uday Chauhan',
  'Varun Malhotra',
  'Wasim Akhtar',
  'Yamini Joshi',
  'Zoya Mirza',
];

/** Creators that no established account watches, so their months pay only the base limit of views. */
export const unknown: readonly string[] = ['dev.darya', 'gauri.garden'];

/** The first of them signed up this many days ago; each on another day. */
export const oldest = 130;

/** Comments on reels. */
export const comments: readonly string[] = [
  'This is so calming 😌',
  'क्या बात है!',
  'Saving this for a bad day',
  'Yeh kaise banaya?? Tutorial please',
  'मेरी दादी को दिखाया, उन्हें बहुत पसंद आया',
  'The sound though 🔥',
  'Watched it eleven times. No regrets.',
  'Kitna sundar ❤️',
  'Which camera?',
  'शानदार',
  'Okay this deserves a million views',
  'Bhai, next level',
  'I can smell the rain',
  'Colours!! 😍',
  'घर की याद आ गई',
  'More of these please',
  'Perfect loop',
  'Ekdum mast',
  'Who else is here at 2 am?',
  'You make it look so easy',
];
