public import MotionCore
